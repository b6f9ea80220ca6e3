"""Starting, refusing to start, and ending."""
import os
import pathlib
import socket
import sqlite3
import time

from case_list import case
from daemon import get


def expect_refusal(tracker, wanted, *words, timeout=20):
    """The daemon ends with the status and tells the operator about each of the words."""
    status, said = tracker.run_to_end(timeout)
    tracker.expect(status == wanted, f"exit status {wanted}, not {status}; it said: {said.strip()}")
    for word in words:
        tracker.expect(str(word) in said, f"a message with '{word}'; it said: {said.strip()}")


@case("A second daemon on the same socket is refused and the first goes on (E-139)")
def socket_in_use(bench):
    first = bench.tracker().start()
    second = bench.tracker(name="second", service={"socket": first.socket})
    expect_refusal(second, 3, first.socket)
    first.expect(get(first.status(), "service.pid") == first.process.pid, "the first daemon still answers")


@case("The socket of a dead daemon is taken over")
def stale_socket(bench):
    tracker = bench.tracker()
    with socket.socket(socket.AF_UNIX) as dead:
        dead.bind(tracker.socket)
    tracker.start()
    tracker.kill()
    tracker.expect(os.path.exists(tracker.socket), "a socket left behind by the kill")
    tracker.start()


@case("A state folder that cannot be made ends the start with a message")
def no_state_folder(bench):
    blocked = bench.folder / "file"
    blocked.write_text("in the way\n")
    tracker = bench.tracker(service={"stateDir": blocked / "state"})
    expect_refusal(tracker, 73, blocked)


@case("A database that cannot be opened ends the start with a message")
def unreadable_database(bench):
    tracker = bench.tracker()
    (pathlib.Path(tracker.state) / "tracker.db").mkdir(parents=True)
    expect_refusal(tracker, 73, "tracker.db")


@case("A database locked by another program ends the start with a message", seconds=15)
def locked_database(bench):
    tracker = bench.tracker().start()
    tracker.stop()
    other = sqlite3.connect(pathlib.Path(tracker.state) / "tracker.db", isolation_level=None)
    try:
        other.execute("PRAGMA locking_mode = EXCLUSIVE")
        other.execute("BEGIN EXCLUSIVE")
        expect_refusal(tracker, 73, "tracker.db", timeout=40)
    finally:
        other.close()
    tracker.start()


@case("After its end the last status is shown with its age, as exit status 3")
def last_snapshot(bench):
    tracker = bench.tracker().start()
    time.sleep(1)
    tracker.expect(tracker.stop() == 0, "exit 0 when told to end")
    tracker.expect(not os.path.exists(tracker.socket), "no socket left behind")
    answer = tracker.cli("status", "--socket", tracker.socket, "--state-dir", tracker.state)
    tracker.expect(answer.returncode == 3, f"exit status 3, not {answer.returncode}")
    tracker.expect(answer.stdout.strip(), "the last status")
    nothing = tracker.cli("status", "--socket", tracker.socket, "--state-dir", bench.folder / "nothing")
    tracker.expect(nothing.returncode == 3 and nothing.stderr.strip(), "without one, status 3 and a message")


@case("A restart resumes the open session", seconds=10)
def resumed(bench):
    tracker = bench.tracker(scale=30)
    bench.uart(bench.journey("urban-drive").log, 30)
    tracker.start()
    before = tracker.wait_for(
        lambda status: get(status, "session.id") and get(status, "queue.stored", 0) > 0, 60, "a session with a point")
    tracker.expect(tracker.stop() == 0, "exit 0 when told to end")
    after = tracker.start().wait_for(lambda status: get(status, "session.id"), 20, "a session is open")
    tracker.expect(get(after, "session.id") == get(before, "session.id"), "the same session")
    tracker.expect(get(after, "session.resumed") is True, "the session marked as resumed")


@case("Wrong usage is status 2 and shows the usage")
def usage(bench):
    tracker = bench.tracker()
    for words in (["fly"], ["status", "--nonsense"], ["config", "check"]):
        answer = tracker.cli(*words)
        tracker.expect(answer.returncode == 2 and answer.stderr.strip(), f"status 2 and a message for {words}")
