"""The bench: the real daemon as a process, and around it simulated devices, a battery and a server.

Everything a case learns comes from `device-cli status --json`, exit statuses, and what the server received.
"""
import json
import os
import pathlib
import shutil
import signal
import socket
import struct
import subprocess
import tempfile
import threading
import time
import urllib.request

from daemon import Tracker, yaml
from journeys import Journeys
from place import Here
from process import Failed, Skipped, spawn, tail

ROOT = pathlib.Path(__file__).resolve().parent.parent
RELEASE = ROOT / ".build/release"


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def replace(path, text):
    """Renamed into place: a reader never sees half a value."""
    half = path.with_suffix(".new")
    half.write_text(text)
    half.rename(path)


class Simulator:
    """One `tracker-sim` process; started means that it said it is ready."""

    def __init__(self, name, arguments, folder):
        self.log = folder / f"{name}.log"
        self.process = spawn([RELEASE / "tracker-sim", *arguments], self.log, stdout=subprocess.PIPE, text=True)
        self.events = []
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        self.ready = self.event("ready", 10)

    def _read(self):
        for line in self.process.stdout:
            try:
                self.events.append(json.loads(line))
            except ValueError:
                self.events.append({"event": "nonsense", "line": line.strip()})

    def event(self, kind, timeout, **fields):
        """Waits for a line on its standard output with this event, and with these fields."""
        end = time.monotonic() + timeout
        while time.monotonic() < end:
            for event in list(self.events):
                if event.get("event") == kind and all(event.get(name) == value for name, value in fields.items()):
                    return event
            if self.process.poll() is not None and not self._reader.is_alive():
                break
            time.sleep(0.02)
        raise Failed(f"the simulator did not say {kind} {fields or ''} in {timeout} s; it said {self.events}\n{tail(self.log)}")

    def signal(self, number):
        self.process.send_signal(number)

    def stop(self):
        if self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(5)
            except subprocess.TimeoutExpired:
                self.process.kill()
        self.process.wait()


class UART(Simulator):
    def unplug(self):
        self.signal(signal.SIGUSR1)

    def plug(self):
        self.signal(signal.SIGUSR2)

    def toggle_silence(self):
        self.signal(signal.SIGHUP)


class Receiver(UART):
    """A receiver that can be talked to (docs/modules/simulator.md)."""

    power_file = None

    def fault(self, name, timeout=30):
        """Waits until the script's fault of this name begins."""
        return self.event("fault", timeout, name=name)

    def power(self, is_on):
        """Switches the supply; main and backup are gone together."""
        replace(self.power_file, "1" if is_on else "0")

    def end(self):
        """Ends it; returns its counts."""
        self.stop()
        return self.event("stopped", 5)


class Server(Simulator):
    """The HTTP endpoint that the points go to."""

    @property
    def port(self):
        return self.ready["port"]

    def get(self, path):
        with urllib.request.urlopen(f"http://127.0.0.1:{self.port}{path}", timeout=10) as answer:
            return json.load(answer)

    def summary(self):
        return self.get("/summary")

    def points(self):
        return self.get("/points")


class SimulatedBoard(UART, Server):
    """A whole board of one process (docs/modules/simulator.md): its devices, its battery, and `tracker.yaml`."""

    def switch_host(self, is_on):
        """What the host does to its supply: it has gone off in order, or somebody started it."""
        replace(self.folder / "host-power", "1" if is_on else "0")

    def end(self):
        """Ends it; returns for how long what ran, and how often its supply was cut."""
        self.stop()
        return self.event("stopped", 5, of=None)


class Battery:
    """A tree like /sys/class/power_supply with one battery and one mains supply."""

    def __init__(self, folder):
        self.path = folder
        self._write("BAT0/type", "Battery")
        self._write("AC/type", "Mains")
        self.set(percent=100, charging=True)

    def set(self, percent, charging):
        self._write("BAT0/capacity", str(percent))
        self._write("BAT0/status", "Charging" if charging else "Discharging")
        self._write("AC/online", "1" if charging else "0")

    def _write(self, name, text):
        file = self.path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        replace(file, text + "\n")


class DrivenAccelerometer:
    """A tree like /sys/bus/iio/devices with one accelerometer of the kernel, whose buffer is a pipe."""

    def __init__(self, folder):
        self.path = folder
        device = "iio:device0"
        self.put(f"{device}/name", "lis2dh12_accel")
        for axis, raw in (("x", 0), ("y", 0), ("z", 1000)):
            self.put(f"{device}/in_accel_{axis}_raw", raw)
        self.put(f"{device}/in_accel_scale", "0.00980665")
        self.put(f"{device}/sampling_frequency", 100)
        self.put(f"{device}/sampling_frequency_available", "1 10 25 50 100")
        self.put(f"{device}/trigger/current_trigger", "")
        for name in ("enable", "length", "watermark"):
            self.put(f"{device}/buffer/{name}", 0)
        for index, axis in enumerate("xyz"):
            for name, text in (("en", 0), ("index", index), ("type", "le:s12/16>>4")):
                self.put(f"{device}/scan_elements/in_accel_{axis}_{name}", text)
        self.put("trigger0/name", "lis2dh12_accel-trigger")
        self.put("dev/.keep", "")
        self.node = folder / "dev" / device
        os.mkfifo(self.node)
        self.is_running = False

    def put(self, name, text):
        file = self.path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"{text}\n")

    def get(self, name):
        return (self.path / "iio:device0" / name).read_text().strip()

    def run(self, speed):
        """Samples as the tree asks for, in its bursts, until `stop`."""
        self.is_running = True
        self._thread = threading.Thread(target=self._run, args=(speed,), daemon=True)
        self._thread.start()

    def _run(self, speed):
        pipe = os.open(self.node, os.O_RDWR)
        count, due = 0, time.monotonic()
        while self.is_running:
            rate, burst = float(self.get("sampling_frequency") or 10), int(self.get("buffer/watermark") or 1)
            due = max(due, time.monotonic() - 0.5) + burst / rate / speed
            time.sleep(max(0, due - time.monotonic()))
            if self.get("buffer/enable") != "1":
                continue
            scans = []
            for _ in range(burst):
                count += 1
                scans.append(struct.pack("<hhh", (count % 2) << 4, 0, 1000 << 4))
            os.write(pipe, b"".join(scans))
        os.close(pipe)

    def stop(self):
        """The chip is pulled: its buffer hangs up."""
        self.is_running = False
        self._thread.join()


class Bench:
    """One case's folder and processes. Use as a context: on leaving, every process is ended and the folder deleted."""

    # The folders in use, for a run that is broken off.
    folders = set()

    def __init__(self, place=None, keep=False):
        self.place = place or Here()
        self.keep = keep
        # Short: a Unix socket's path has at most 107 bytes.
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="trk-"))
        if not keep:
            Bench.folders.add(self.folder)
        self.link = self.folder / "gnss"
        self.bus = self.folder / "i2c"
        self.battery = Battery(self.folder / "power_supply")
        self.simulators = []
        self.trackers = []

    def __enter__(self):
        return self

    def __exit__(self, *error):
        for tracker in self.trackers:
            tracker.kill()
        for simulator in self.simulators:
            simulator.stop()
        self.place.leave()
        if self.keep:
            print(f"kept: {self.folder}", flush=True)
        else:
            shutil.rmtree(self.folder, ignore_errors=True)
            Bench.folders.discard(self.folder)

    def journey(self, name):
        return Journeys.get(name)

    def _simulator(self, kind, name, arguments):
        simulator = kind(f"{name}{len(self.simulators)}", arguments, self.folder)
        self.simulators.append(simulator)
        return simulator

    def uart(self, log, speed, link=None):
        """Plays a raw log on `self.link`; on a real board, through the serial adapter into the board's receiver port.
        `link`: another place, for a second receiver; only here."""
        speed = self.place.scale(speed)
        uart = self._simulator(UART, "uart", ["uart", "--play", log, "--speed", speed, "--link", link or self.link])
        if link is None:
            self.place.bridge(self.link)
        return uart

    def receiver(self, family, speed, link=None, journey="urban-drive", start="hot", faults=None, **options):
        """A receiver of a family on `self.link` or another place. `faults`: the text of a script; other options are
        those of `tracker-sim gnss`, with underscores. Only here."""
        if not self.place.is_here:
            raise Skipped("a real receiver cannot be told what to be")
        name = f"receiver{len(self.simulators)}"
        power = self.folder / f"{name}.power"
        power.write_text("1")
        words = ["gnss", "--journey", journey, "--family", family, "--speed", speed, "--start", start,
                 "--link", link or self.link, "--power-file", power]
        if faults:
            script = self.folder / f"{name}.faults"
            script.write_text(faults)
            words += ["--faults", script]
        for option, value in options.items():
            words += ["--" + option.replace("_", "-"), value]
        receiver = self._simulator(Receiver, "receiver", words)
        receiver.power_file = power
        return receiver

    def accel(self, script, speed, chip="lis3dh", faults=None, battery=None):
        """An accelerometer of a kind on `self.bus`. `faults`: the text of a script (docs/modules/simulator.md);
        `battery`: that of a fuel gauge on the same bus."""
        if not self.place.is_here:
            raise Skipped("the accelerometer of a real board cannot be scripted")
        if not isinstance(script, pathlib.Path):
            text, script = script, self.folder / "accel.motion"
            script.write_text(text)
        words = ["accel", "--script", script, "--bus", self.bus, "--speed", speed, "--chip", chip]
        if faults:
            place = self.folder / "accel.faults"
            place.write_text(faults)
            words += ["--faults", place]
        if battery:
            place = self.folder / "battery.script"
            place.write_text(battery)
            words += ["--battery", place]
        return self._simulator(Simulator, "accel", words)

    def board(self, script, speed, server=True, mirror=False):
        """A whole board that lives by the text of a script."""
        if not self.place.is_here:
            raise Skipped("a real board lives by itself")
        folder = self.folder / f"board{len(self.simulators)}"
        folder.mkdir()
        (folder / "script").write_text(script)
        words = ["board", "--folder", folder, "--script", folder / "script", "--speed", speed]
        words += ["--port", 0] if server else []
        board = self._simulator(SimulatedBoard, "board", words + (["--mirror"] if mirror else []))
        board.folder, board.speed = folder, speed
        return board

    def tracker_of(self, board, without=(), **groups):
        """A daemon with the configuration that the board wrote, without the keys and groups named in `without`, and with
        more keys."""
        tracker = Tracker(self, f"tracker{len(self.trackers)}", board.speed, {})
        written = board.ready["config"]
        lines = pathlib.Path(written).read_text().splitlines()
        # A key alone, or a group with all of its keys.
        kept, dropped = [], False
        for line in lines:
            name = line.split(":")[0]
            dropped = name in without if not line.startswith(" ") else dropped
            if not dropped and name.strip() not in without:
                kept.append(line)
        for name, keys in groups.items():
            head = f"{name}:"
            at = kept.index(head) + 1 if head in kept else len(kept)
            kept[at:at] = yaml(keys, 2) if head in kept else [head, *yaml(keys, 2)]
        tracker.config = f"{written}.{len(self.trackers)}"
        tracker.write_config("\n".join(kept) + "\n")
        tracker.socket, tracker.state = f"{board.folder}/control.sock", f"{board.folder}/state"
        self.trackers.append(tracker)
        return tracker

    def server(self, port=0, answers=None, keep=None, **options):
        """`options`: those of `tracker-sim receiver`, with underscores."""
        others = [word for option, value in options.items() for word in ("--" + option.replace("_", "-"), value)]
        script = ["--status-script", answers] if answers else []
        kept = ["--keep", keep] if keep else []
        server = self._simulator(Server, "server", ["receiver", "--port", port, *script, *kept, *others])
        self.place.forward(server.port)
        return server

    def tracker(self, scale=60, name="tracker", **groups):
        """A daemon with a folder of its own. `gnss={"device": …}` and so on replace what the bench would write."""
        tracker = Tracker(self, name, self.place.scale(scale), groups)
        self.trackers.append(tracker)
        return tracker

    @staticmethod
    def url(port):
        return {"url": f"http://127.0.0.1:{port}/points", "allowCleartext": True}
