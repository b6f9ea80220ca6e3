"""The rows of the bench that need a whole board: the release daemon on `tracker-sim board` at real speed, and gpsd, with
a client, on a second device that gets the same bytes. scripts/bench calls it; docs/modules/bench.md explains the rows."""
import json
import re
import socket
import threading
import time
from pathlib import Path

from bench import Bench
from daemon import MOST_WAKE_UPS, get
from peers import GPSD
from process import Failed
from tls import Authority, Nginx

# What is promised of memory with TLS loaded, and what holds until then: most of it are pages of the distribution's
# libcurl and of the libraries that come with it, which other programs share (docs/modules/bench.md has them).
MOST_RSS_KIB = 16 * 1024
HELD_RSS_KIB = 23 * 1024
MOST_PRIVATE_KIB = 8 * 1024
# The rest is measured at this many times real speed, so that a wake-up in ten minutes can be seen.
REST_SPEED = 20

DRIVE = "journey motorway 1\nreceiver ublox8 hot\naccelerometer lis3dh\nbattery 9000 90\n"
NIGHT = "journey parked-night 1\nreceiver ublox8 hot\naccelerometer lis3dh\nbattery 9000 90\n"


class Cost:
    """What a process has used so far: nanoseconds on a core, and how often it slept and was woken."""

    def __init__(self, pid):
        self.at = time.monotonic()
        self.nanos = self.switches = 0
        for task in Path(f"/proc/{pid}/task").iterdir():
            self.nanos += int((task / "schedstat").read_text().split()[0])
            self.switches += int(re.search(r"^voluntary_ctxt_switches:\s*(\d+)", (task / "status").read_text(), re.M)[1])

    def since(self, before):
        """Milliseconds of a core a second, and switches an hour."""
        seconds = self.at - before.at
        return (self.nanos - before.nanos) / 1e6 / seconds, (self.switches - before.switches) * 3600 / seconds


class Watcher:
    """A client of gpsd that watches, without which gpsd does not even open its receiver."""

    def __init__(self, gpsd):
        self.fixes = 0
        self._socket = socket.create_connection(("127.0.0.1", gpsd.port), timeout=5)
        self._socket.sendall(b'?WATCH={"enable":true,"json":true};\n')
        self._socket.settimeout(None)
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        while data := self._socket.recv(65536):
            self.fixes += data.count(b'"class":"TPV"')


def wake_ups(tracker):
    """As the daemon's loop counts them, without those of the asking; and when."""

    def asked():
        today = json.loads(tracker.cli("power", "--json", "--socket", tracker.socket).stdout)["today"]
        return today["wakeUps"], today["seconds"]

    first, (second, seconds) = asked()[0], asked()
    return second, second - first, seconds


def memory(pid):
    status = Path(f"/proc/{pid}/status").read_text()
    return {name: int(re.search(rf"^{name}:\s*(\d+)", status, re.M)[1]) for name in ("VmHWM", "RssAnon")}


def measured(tracker, seconds, peer=None):
    """CPU ms/s, switches an hour and wake-ups an hour of the daemon, and CPU ms/s and switches of the peer."""
    count, asking, clock = wake_ups(tracker)
    before, peer_before = Cost(tracker.process.pid), Cost(peer) if peer else None
    time.sleep(seconds)
    after, peer_after = Cost(tracker.process.pid), Cost(peer) if peer else None
    more, _, later = wake_ups(tracker)
    # Each look is asked twice.
    hourly = max(0, more - count - 2 * asking) * 3600 / max(1, later - clock)
    return *after.since(before), hourly, *(peer_after.since(peer_before) if peer else (None, None))


def moving_rows(table, place, seconds):
    board = place.board(DRIVE, 1, mirror=True)
    authority = Authority(place)
    with Nginx(place, board.ready["port"], authority.issue("server")) as server, \
            GPSD(place, board.folder / "gnss-mirror") as gpsd:
        watcher = Watcher(gpsd)
        tracker = place.tracker_of(
            board, without=("upload",), upload={"url": server.url, "caFile": authority.certificate})
        tracker.start()
        tracker.wait_for(lambda status: get(status, "motion.state") == "moving", 150, "it drives")
        tracker.wait_for(lambda status: get(status, "queue.uploadedThisRun", 0) > 0, 60, "it has uploaded over TLS")
        time.sleep(10)
        fixes = watcher.fixes
        ours, switches, hourly, peer, peer_switches = measured(tracker, seconds, gpsd.process.pid)
        last = tracker.status()
        if get(last, "motion.state") != "moving" or watcher.fixes - fixes < seconds * 0.8:
            raise Failed(f"the board does not drive, or gpsd hears nothing: {watcher.fixes - fixes} fixes in {seconds} s")
        used = memory(tracker.process.pid)
        if not get(last, "accelerometer.state") == "ok":
            raise Failed("the accelerometer is not sampled")
        tracker.stop()
    table.add("board, moving: daemon vs gpsd", ours, "ms/s", peer=peer, ratio=peer / ours, target="<= gpsd's",
              passed=ours <= peer, note="a core's milliseconds a second; the daemon filters, stores and samples 50 Hz besides")
    wake_row(table, "moving", hourly)
    table.add("board, moving: switches", switches, "1/h", peer=peer_switches, ratio=peer_switches / switches)
    missed = used["VmHWM"] > MOST_RSS_KIB
    table.add("board, memory with TLS loaded", used["VmHWM"], "KiB",
              target=f"misses {MOST_RSS_KIB:,}, held to {HELD_RSS_KIB:,}" if missed else f"<= {MOST_RSS_KIB:,}",
              passed=used["VmHWM"] <= HELD_RSS_KIB,
              note=f"all but its own {used['RssAnon']:,} KiB are pages of files: of itself, and of the distribution's "
                   "libcurl and its 30 libraries" if missed else None)
    table.add("board, memory of its own", used["RssAnon"], "KiB", target=f"<= {MOST_PRIVATE_KIB:,}",
              passed=used["RssAnon"] <= MOST_PRIVATE_KIB)


def wake_row(table, state, hourly):
    table.add(f"board, {state}: wake-ups", hourly, "1/h", target=f"<= {MOST_WAKE_UPS[state]:,}",
              passed=hourly <= MOST_WAKE_UPS[state])


def rests(status):
    return get(status, "receiver.power.state") == "off" and get(status, "accelerometer.state") == "ok"


def resting_rows(table, place, seconds, state, without, speed, ready):
    board = place.board(NIGHT, speed)
    # None of the receiver's looks may fall into what is measured.
    tracker = place.tracker_of(board, without=without, service={"backstopIntervalMin": 60})
    tracker.start()
    tracker.wait_for(ready, 120, f"{state}")
    time.sleep(3)
    ours, _, hourly, _, _ = measured(tracker, seconds)
    tracker.stop()
    wake_row(table, state, hourly)
    if speed == 1:
        table.add(f"board, {state}: processor", ours, "ms/s")


def is_armed(status):
    return rests(status) and any(
        line["key"] == "accel.intLine" and line["state"] == "armed" for line in get(status, "lines", []))


def rows(table, seconds):
    with Bench() as place:
        moving_rows(table, place, seconds)
        resting_rows(table, place, seconds, "stationary, no interrupt", ("intLine",), 1, rests)
        resting_rows(table, place, seconds / 2, "stationary, interrupt", (), REST_SPEED, is_armed)
