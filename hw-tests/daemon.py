"""The daemon under test: its configuration, its process, and its status."""
import datetime
import json
import signal
import subprocess
import time

from process import Failed, spawn, tail

# An hour (spec power §4).
MOST_WAKE_UPS = {"moving": 12_000, "stationary, no interrupt": 3_700, "stationary, interrupt": 60}


def yaml(groups, indent=0):
    """Nested dictionaries as YAML; text is quoted, so that it stays text."""
    lines = []
    for key, value in groups.items():
        if isinstance(value, dict):
            lines += [" " * indent + f"{key}:", *yaml(value, indent + 2)]
        elif isinstance(value, bool):
            lines.append(" " * indent + f"{key}: {str(value).lower()}")
        elif isinstance(value, (int, float)):
            lines.append(" " * indent + f"{key}: {value}")
        else:
            lines.append(" " * indent + f"{key}: {json.dumps(str(value))}")
    return lines


def milliseconds(iso):
    """UTC milliseconds of an ISO time of the status."""
    return round(datetime.datetime.fromisoformat(iso.replace("Z", "+00:00")).timestamp() * 1000)


def get(status, path, default=None):
    """`get(status, "queue.stored")`; the default where the status leaves it out."""
    for key in path.split("."):
        if not isinstance(status, dict) or key not in status:
            return default
        status = status[key]
    return status


class Tracker:
    def __init__(self, bench, name, scale, groups):
        self.bench = bench
        self.place = bench.place
        self.scale = scale
        self.folder = self.place.folder(bench, name)
        self.config = f"{self.folder}/tracker.yaml"
        self.socket = f"{self.folder}/s"
        self.state = f"{self.folder}/state"
        self.log = bench.folder / f"{name}.log"
        self.process = None
        self.last = None
        self.groups = groups
        self.configure(**groups)

    def configure(self, **groups):
        """Writes the configuration: what the bench needs, with the given groups laid over it."""
        whole = {
            "service": {"stateDir": self.state, "socket": self.socket},
            "gnss": {"device": self.place.device or self.bench.link, "baud": 9600},
            "accel": {"bus": "none"},
            "upload": {},
            # This machine's own modem is left alone.
            "link": {"modemManager": "off"},
        }
        if self.place.is_here:
            whole["power"] = {"supplyPath": self.bench.battery.path}
        for group, keys in groups.items():
            whole[group] = {**whole.get(group, {}), **keys}
        self.place.write(self.config, "\n".join(yaml({k: v for k, v in whole.items() if v})) + "\n")

    def reconfigure(self, **groups):
        """Ends it and starts it with the same configuration but for these keys."""
        self.stop()
        self.groups = {**self.groups, **{name: {**self.groups.get(name, {}), **keys} for name, keys in groups.items()}}
        self.configure(**self.groups)
        return self.start()

    def write_config(self, text):
        self.place.write(self.config, text)

    def start(self, wait=True, under=()):
        """`under`: a command, with its words, that the daemon is started by."""
        # A scale of one is left out: on a real device simulated time is refused.
        pace = [] if self.scale == 1 else ["--time-scale", self.scale]
        words = [self.place.tracker, "run", "--config", self.config, *pace]
        self.process = spawn(
            [*under, *self.place.daemon_command(words, self.folder)], self.log, stdout=subprocess.DEVNULL)
        if wait:
            self.wait_for(lambda status: get(status, "service.state") == "running", 20, "the daemon runs")
        return self

    def cli(self, *words, timeout=30):
        return self.place.run([self.place.device_cli, *words], timeout)

    def status(self):
        """What the daemon says of itself; `None` when it cannot be reached."""
        answer = self.cli("status", "--json", "--socket", self.socket, "--state-dir", self.state)
        if answer.returncode != 0:
            return None
        try:
            self.last = json.loads(answer.stdout)
        except ValueError:
            raise Failed(f"the status is no JSON: {answer.stdout[:300]!r}") from None
        return self.last

    def wait_for(self, predicate, timeout, what, each=None):
        """Asks for the status until the predicate holds. `timeout` in seconds of this machine; `each` sees every one."""
        end = time.monotonic() + timeout
        while time.monotonic() < end:
            status = self.status()
            if status is not None:
                if each:
                    each(status)
                if predicate(status):
                    return status
            elif self.process.poll() is not None:
                raise Failed(f"waiting until {what}: the daemon ended with {self.process.returncode}\n{self.seen()}")
            time.sleep(0.1)
        raise Failed(f"waited {timeout:.0f} s until {what}\n{self.seen()}")

    def expect(self, condition, what):
        if not condition:
            raise Failed(f"expected: {what}\n{self.seen()}")

    def seen(self):
        shown = json.dumps(self.last, indent=2, sort_keys=True) if self.last else "none"
        return f"    last status: {shown}\n    its log:\n{tail(self.log)}"

    def exit_status(self, timeout=20):
        """Waits for the end of the process."""
        try:
            return self.process.wait(timeout)
        except subprocess.TimeoutExpired:
            raise Failed(f"the daemon still runs after {timeout} s\n{self.seen()}") from None

    def run_to_end(self, timeout=20):
        """Starts a daemon that is expected to refuse; returns its exit status and what it told the operator."""
        before = self.log.stat().st_size if self.log.exists() else 0
        self.start(wait=False)
        status = self.exit_status(timeout)
        with open(self.log, "rb") as file:
            file.seek(before)
            return status, file.read().decode(errors="replace")

    def signal(self, number):
        self.place.signal(self.process, self.folder, number)

    def stop(self):
        """As the service manager does; returns the exit status."""
        self.signal(signal.SIGTERM)
        return self.exit_status()

    def kill(self):
        """As a power cut does to the process."""
        if self.process is None or self.process.poll() is not None:
            return
        self.signal(signal.SIGKILL)
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    def peak_rss_kib(self):
        """The most memory the process has held so far."""
        with open(f"/proc/{self.process.pid}/status") as file:
            return next(int(line.split()[1]) for line in file if line.startswith("VmHWM"))

    def drain(self, timeout=None):
        """Waits until everything stored has been confirmed by the server; by default four minutes of its time."""
        return self.wait_for(
            lambda status: get(status, "queue.stored", 0) > 0 and get(status, "queue.pending") == 0,
            timeout or 60 + 240 / self.scale, "the queue is empty")
