"""A D-Bus of a case's own, and a ModemManager on it that does as it is told (modem_manager.py)."""
import json
import os
import pathlib
import subprocess
import threading
import time

from peers import Peer
from process import Failed, Skipped, tail

HERE = pathlib.Path(__file__).resolve().parent
CONFIG = """<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <listen>unix:path={path}</listen><auth>EXTERNAL</auth>
  <policy context="default"><allow send_destination="*"/><allow receive_sender="*"/><allow own="*"/></policy>
</busconfig>
"""


class SystemBus(Peer):
    """dbus-daemon; use as a context."""

    def __init__(self, bench):
        if not bench.place.is_here:
            raise Skipped("a board's ModemManager cannot be told what to say")
        self.bench = bench
        self.socket = bench.folder / "bus"
        self.socket.unlink(missing_ok=True)
        self.address = f"DBUS_SYSTEM_BUS_ADDRESS=unix:path={self.socket}"
        config = bench.folder / "bus.conf"
        config.write_text(CONFIG.format(path=self.socket))
        super().__init__(bench, "dbus-daemon", [f"--config-file={config}", "--nofork", "--nopidfile"])
        self.wait_until(self.socket.exists, "its socket is there")

    def modem_manager(self, *options):
        return ModemManager(self, options)


class ModemManager:
    def __init__(self, bus, options):
        self.log = bus.bench.folder / "modem-manager.log"
        self.events = []
        name, address = bus.address.split("=", 1)
        # Debian's interpreter has Debian's modules.
        tried = subprocess.run(
            ["/usr/bin/python3", "-c", "import dbus, gi"], capture_output=True, timeout=20, check=False)
        if tried.returncode != 0:
            raise Skipped("no python3-dbus and python3-gi; 'make setup' installs them")
        # The pipe cannot be spawn's, whose processes read nothing; it ends with its standard input, too.
        with open(self.log, "ab") as errors:
            self.process = subprocess.Popen(
                ["/usr/bin/python3", HERE / "modem_manager.py", *options], stdin=subprocess.PIPE,
                stdout=subprocess.PIPE, stderr=errors, text=True, env={**os.environ, name: address})
        threading.Thread(target=self._read, daemon=True).start()
        self.wait_for(lambda: {"event": "ready"} in self.events, "it is ready", 20)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.kill()

    def _read(self):
        for line in self.process.stdout:
            self.events.append(json.loads(line))

    def tell(self, **order):
        self.process.stdin.write(json.dumps(order) + "\n")
        self.process.stdin.flush()

    @property
    def calls(self):
        """The methods that were called, in their order, with what they were given."""
        return [(event["method"], *event["arguments"]) for event in list(self.events) if event["event"] == "call"]

    def wait_for(self, predicate, what, timeout=20):
        end = time.monotonic() + timeout
        while time.monotonic() < end:
            if predicate():
                return
            time.sleep(0.05)
        raise Failed(f"ModemManager: waited until {what}; called {self.calls if self.events else self.events}\n{tail(self.log)}")

    def kill(self):
        self.process.kill()
        self.process.wait()
        self.process.stdin.close()
