"""The real gpsd and chronyd of the distribution, run beside the bench: as processes of it, on ports and sockets of its
own, never as services, and never with a hand on this machine's clock."""
import getpass
import os
import shutil
import socket
import subprocess
import time

from bench import ROOT, free_port
from process import Failed, Skipped, tail

# Daemons are not in everybody's PATH; what scripts/setup may not install it unpacks.
PLACES = os.pathsep.join([os.environ.get("PATH", ""), "/usr/sbin", "/sbin", str(ROOT / ".peers/usr/sbin"),
                          str(ROOT / ".peers/usr/bin")])


def program(name, bench):
    if not bench.place.is_here:
        raise Skipped(f"{name} runs on the simulated bench")
    found = shutil.which(name, path=PLACES)
    if not found:
        raise Skipped(f"no {name}; 'make setup' installs it")
    # An unpacked one may lack a library.
    asked = {"gpsd": "-V", "mosquitto": "-h", "dbus-daemon": "--version"}.get(name, "-v")
    tried = subprocess.run([found, asked], capture_output=True, text=True, timeout=10, check=False)
    # Of mosquitto, help is an error of 3.
    if tried.returncode not in (0, 3):
        raise Skipped(f"{found} does not run: {tried.stderr.strip()}")
    return found


class Peer:
    """One such process; use as a context. gpsd and chronyd change their user, so nothing but this ends them."""

    def __init__(self, bench, name, arguments):
        self.log = bench.folder / f"{name}.log"
        self.name = name
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(
                [program(name, bench), *map(str, arguments)], stdin=subprocess.DEVNULL, stdout=log, stderr=log)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()

    def stop(self):
        if self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(5)
            except subprocess.TimeoutExpired:
                self.process.kill()
        self.process.wait()

    @staticmethod
    def listens(port):
        try:
            socket.create_connection(("127.0.0.1", port), timeout=2).close()
            return True
        except OSError:
            return False

    def wait_until(self, ready, what, timeout=10):
        end = time.monotonic() + timeout
        while time.monotonic() < end:
            if self.process.poll() is not None:
                break
            value = ready()
            if value:
                return value
            time.sleep(0.05)
        raise Failed(f"{self.name}: waited until {what}\n{tail(self.log)}")


class GPSD(Peer):
    """gpsd on the pseudo-terminals that are behind `links`."""

    def __init__(self, bench, *links, port=None):
        self.port = port or free_port()
        devices = [os.path.realpath(link) for link in links]
        for device in devices:
            # As root, gpsd becomes another user.
            os.chmod(device, 0o666)
        # -n: without waiting for a client; -N: in the foreground; -F: its own control socket, also for no device.
        super().__init__(bench, "gpsd", ["-n", "-N", "-S", self.port, "-F", bench.folder / "gpsd.control", *devices])
        self.wait_until(self._answers, "it listens")

    @property
    def url(self):
        return f"gpsd://127.0.0.1:{self.port}"

    def _answers(self):
        try:
            with socket.create_connection(("127.0.0.1", self.port), timeout=2) as client:
                return b"VERSION" in client.recv(4096)
        except OSError:
            return False

    def wait_for_data(self):
        """Until gpsd knows its receiver: after that its bytes flow."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=2) as client:
            client.sendall(b'?WATCH={"enable":true,"json":true};\n')
            client.settimeout(0.2)

            def has_fix():
                try:
                    return b'"class":"TPV"' in client.recv(65536)
                except TimeoutError:
                    return False

            self.wait_until(has_fix, "it reports its receiver", 20)


class Chronyd(Peer):
    """chronyd that only looks (-x), with one reference clock that reads a socket."""

    def __init__(self, bench):
        self.folder = bench.folder
        self.socket = bench.folder / "refclock.sock"
        self.commands = bench.folder / "chronyd.sock"
        self.records = bench.folder / "chrony/refclocks.log"
        config = bench.folder / "chrony.conf"
        config.write_text(
            f"refclock SOCK {self.socket} refid GNSS poll 0 filter 1 precision 1e-3\n"
            f"port 0\ncmdport 0\nbindcmdaddress {self.commands}\npidfile {bench.folder}/chronyd.pid\n"
            f"logdir {self.records.parent}\nlog refclocks\nuser {getpass.getuser()}\n")
        # -U: not as root either; -d: in the foreground.
        super().__init__(bench, "chronyd", ["-x", "-U", "-d", "-f", config])
        self.wait_until(self.socket.exists, "its socket is there")

    def offsets(self):
        """The raw offsets of its log, seconds: how far the reference is ahead of the system clock."""
        if not self.records.exists():
            return []
        rows = [line.split() for line in self.records.read_text().splitlines()]
        # Date, time, reference, number, leap, pulse, raw offset, …; a dash where it is the filter's row.
        return [float(row[6]) for row in rows if len(row) > 6 and row[2] == "GNSS" and row[6] != "-"]

    def reach(self, bench):
        """The register of the last eight polls, as a number; 0 is no answer at all."""
        answer = subprocess.run(
            [program("chronyc", bench), "-h", self.commands, "-c", "sources"], capture_output=True, text=True,
            timeout=10, check=False)
        fields = answer.stdout.strip().split(",")
        return int(fields[5], 8) if len(fields) > 5 else 0
