"""What can happen between the queue and the server."""
from bench import free_port
from case_list import case
from cases_journey import expect_all_received_once
from daemon import get

OFTEN = {"intervalMs": 5000, "vehicularIntervalMs": 5000}
QUICK = {"autoSyncCoalesceSec": 5, "backoffInitialSec": 10, "backoffCeilingSec": 60}


def driving(bench, **upload):
    """A daemon on a drive, storing a point every five seconds."""
    tracker = bench.tracker(scale=30, geolocation=OFTEN, upload={**QUICK, **upload})
    uart = bench.uart(bench.journey("urban-drive").log, 30)
    tracker.start()
    return tracker, uart


def stored(tracker, count):
    return tracker.wait_for(
        lambda status: get(status, "queue.stored", 0) >= count, 60 + count * 5 / tracker.scale,
        f"{count} points are stored")


@case("A server that refuses the connection costs nothing: the queue waits, says why, and drains when it is back",
      seconds=30, on_board=True)
def down_and_back(bench):
    port = free_port()
    tracker, uart = driving(bench, **bench.url(port))
    stored(tracker, 5)
    seen = tracker.wait_for(
        lambda status: get(status, "queue.problem") and get(status, "queue.lastAnswer", "").startswith("failed"), 60,
        "the refused connection is told")
    tracker.expect(get(seen, "queue.pending") == get(seen, "queue.stored"), "every point still queued")
    kept = bench.folder / "received.json"
    server = bench.server(port=port, keep=kept)
    drained = tracker.drain()
    tracker.expect(not get(drained, "queue.problem"), "no problem any more")
    server.stop()
    stored(tracker, get(drained, "queue.stored") + 5)
    server = bench.server(port=port, keep=kept)
    uart.toggle_silence()
    last = tracker.drain()
    expect_all_received_once(tracker, server, get(last, "queue.stored"))


@case("Answers of 500, nonsense, and none at all keep the points until a 200 takes them", seconds=30)
def bad_answers(bench):
    server = bench.server(answers="500,garbage,cut,500,200*")
    tracker, uart = driving(bench, **bench.url(server.port))
    seen = tracker.wait_for(lambda status: get(status, "queue.problem"), 60, "the bad answer is told")
    tracker.expect(len(get(seen, "queue.problem").split()) >= 4, "a problem that says what is wrong")
    stored(tracker, 10)
    uart.toggle_silence()
    last = tracker.drain()
    expect_all_received_once(tracker, server, get(last, "queue.stored"))
    tracker.expect(server.summary()["requests"] >= 5, "all five answers heard")


@case("A slow server holds up neither capture nor status", seconds=20)
def slow_server(bench):
    # Three seconds of this machine are ninety of the daemon's, which allows 120 for an exchange.
    server = bench.server(answers="slow,200*")
    tracker, uart = driving(bench, **bench.url(server.port))
    first = stored(tracker, 2)
    stored(tracker, get(first, "queue.stored") + 8)
    uart.toggle_silence()
    last = tracker.drain()
    expect_all_received_once(tracker, server, get(last, "queue.stored"))


@case("A server that is never there leaves everything in the queue across a restart", seconds=15)
def never_there(bench):
    tracker, uart = driving(bench, **bench.url(free_port()))
    stored(tracker, 4)
    uart.toggle_silence()
    before = get(tracker.status(), "queue.pending")
    tracker.expect(tracker.stop() == 0, "exit 0 when told to end")
    seen = tracker.start().status()
    tracker.expect(get(seen, "queue.pending", 0) >= before, f"{before} points still queued")
