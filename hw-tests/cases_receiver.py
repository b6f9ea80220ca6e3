"""What can happen to the line to the receiver."""
import os
import threading

from case_list import case
from daemon import get
from line import Line, epoch


class Feeder:
    """Writes the bytes of a function of the second to a line, ten simulated seconds a second."""

    def __init__(self, line, data):
        self.line, self.data = line, data
        self._second = 12 * 3600
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._feed, daemon=True)

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._stop.set()
        self._thread.join()

    def _feed(self):
        while not self._stop.wait(0.1):
            self.line.write(self.data(self._second))
            self._second += 1


def has_fix(status):
    return get(status, "receiver.state") in ("fix2D", "fix3D")


def problem(status):
    return get(status, "receiver.problem", "")


def expect_remedy(tracker, status, *words):
    """The problem names one of the words, and says more than a word about it."""
    text = problem(status)
    tracker.expect(len(text.split()) >= 5, "a problem that says what to do")
    tracker.expect(any(word in text.lower() for word in words), f"a problem that speaks of {' or '.join(words)}")


@case("Without a port the daemon says so, and takes the receiver when it comes")
def no_port(bench):
    tracker = bench.tracker().start()
    seen = tracker.wait_for(lambda status: problem(status), 20, "the problem is told")
    tracker.expect(get(seen, "receiver.open") is False, "a receiver that is not open")
    expect_remedy(tracker, seen, str(bench.link).lower())
    session = get(seen, "session.id")
    bench.uart(bench.journey("urban-drive").log, 60)
    found = tracker.wait_for(has_fix, 60, "the receiver has a fix")
    tracker.expect(get(found, "session.id", session) == (session or get(found, "session.id")), "the same session")
    tracker.expect(not problem(found), "no problem any more")


@case("A port that another process holds is named as busy, and taken when it is free")
def busy_port(bench):
    line = Line(bench.link)
    with Feeder(line, epoch):
        first = bench.tracker(scale=10).start()
        first.wait_for(has_fix, 30, "the first daemon has a fix")
        second = bench.tracker(scale=10, name="second").start()
        seen = second.wait_for(lambda status: problem(status), 20, "the second daemon tells the problem")
        expect_remedy(second, seen, "busy", "in use", "holds", "another process", "another program")
        second.expect(get(seen, "receiver.open") is False, "a receiver that is not open")
        first.expect(get(first.status(), "receiver.open") is True, "the first daemon undisturbed")
        first.stop()
        second.wait_for(has_fix, 60, "the second daemon has a fix")


@case("A path that is no serial line is refused with a remedy")
def no_serial_line(bench):
    tracker = bench.tracker(gnss={"device": "/dev/null"}).start()
    seen = tracker.wait_for(lambda status: problem(status), 20, "the problem is told")
    expect_remedy(tracker, seen, "/dev/null")


@case("A wrong baud rate shows as garbage with the rate to check, and the right one as a fix", seconds=10)
def wrong_baud(bench):
    line = Line(bench.link)

    def heard(second):
        # What a UART makes of another rate is noise.
        return epoch(second) if line.baud() == 9600 else os.urandom(200)

    with Feeder(line, heard):
        tracker = bench.tracker(scale=10, gnss={"baud": 38400}).start()
        seen = tracker.wait_for(
            lambda status: problem(status) and get(status, "receiver.garbageBytes", 0) > 100, 40, "garbage is told")
        expect_remedy(tracker, seen, "baud")
        tracker.expect(not get(seen, "queue.stored", 0), "no point from garbage")
        tracker.stop()
        tracker.configure(gnss={"baud": 9600})
        tracker.start().wait_for(has_fix, 30, "the right rate gives a fix")


@case("The speed is found by listening, and a restarted daemon begins with it (F-13)", seconds=10)
def found_baud(bench):
    line = Line(bench.link)
    speeds = []

    def heard(second):
        speeds.append(line.baud())
        return epoch(second) if speeds[-1] == 115200 else os.urandom(200)

    with Feeder(line, heard):
        tracker = bench.tracker(scale=10, gnss={"baud": "auto"}).start()
        seen = tracker.wait_for(has_fix, 40, "the speed is found")
        tracker.expect(get(seen, "receiver.baud") == 115200, "the receiver's speed")
        tracker.expect(get(seen, "receiver.searching") is False, "no search any more")
        tracker.stop()
        del speeds[:]
        tracker.start().wait_for(has_fix, 30, "a fix again")
        tracker.expect(set(speeds) <= {115200}, "the last good speed first")


@case("Garbage between sentences is counted and the fixes go on")
def garbage(bench):
    line = Line(bench.link)
    with Feeder(line, lambda second: os.urandom(150) + b"\r\n" + epoch(second) + b"[  12.3] usb 1-1: new device\r\n"):
        tracker = bench.tracker(scale=10).start()
        seen = tracker.wait_for(
            lambda status: has_fix(status) and get(status, "receiver.garbageBytes", 0) > 500, 30, "fix and garbage")
        tracker.expect(get(seen, "receiver.fixes", 0) > 0, "fixes in spite of garbage")


@case("Unplugged in the middle of a sentence it comes back in the same session", seconds=10)
def unplugged_mid_sentence(bench):
    line = Line(bench.link)
    with Feeder(line, epoch):
        tracker = bench.tracker(scale=10).start()
        before = tracker.wait_for(
            lambda status: has_fix(status) and get(status, "session.id"), 30, "a session with a fix")
        line.write(epoch(0)[:30])
        line.unplug()
        lost = tracker.wait_for(lambda status: get(status, "receiver.open") is False, 20, "the loss is noticed")
        expect_remedy(tracker, lost, str(bench.link).lower())
        line.plug()
        after = tracker.wait_for(
            lambda status: get(status, "receiver.open") is True and has_fix(status), 60, "it is open again with a fix")
        tracker.expect(get(after, "session.id") == get(before, "session.id"), "the same session")
        tracker.expect(get(after, "queue.stored", 0) >= get(before, "queue.stored", 0), "no stored point lost")


@case("The cable is pulled and put back during a drive: same session, and points go on", seconds=20)
def cable_pulled(bench):
    tracker = bench.tracker(scale=30)
    uart = bench.uart(bench.journey("urban-drive").log, 30)
    tracker.start()
    before = tracker.wait_for(lambda status: get(status, "queue.stored", 0) >= 3, 60, "three points are stored")
    uart.unplug()
    tracker.wait_for(
        lambda status: get(status, "receiver.open") is False and problem(status), 20, "the loss is told")
    uart.plug()
    stored = get(tracker.last, "queue.stored")
    after = tracker.wait_for(lambda status: get(status, "queue.stored", 0) >= stored + 2, 60, "points go on")
    tracker.expect(get(after, "session.id") == get(before, "session.id"), "the same session")


@case("A receiver that falls silent is reported, and its return is noticed", seconds=20, on_board=True)
def silent(bench):
    tracker = bench.tracker(scale=30)
    uart = bench.uart(bench.journey("urban-drive").log, 30)
    tracker.start()
    tracker.wait_for(has_fix, 90, "a fix")
    uart.toggle_silence()
    seen = tracker.wait_for(
        lambda status: get(status, "receiver.state") == "silent", 3600 / tracker.scale, "the silence is noticed")
    expect_remedy(tracker, seen, "silent", "nothing", "no data", "no bytes", "no sentence", "hear", "heard")
    uart.toggle_silence()
    tracker.wait_for(has_fix, 90, "a fix again")
