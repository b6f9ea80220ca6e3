"""What can happen between the queue and the server."""
import json
import os
import pathlib

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


@case("Answers of 500, nonsense, half and none at all keep the points until a 200 takes them", seconds=30)
def bad_answers(bench):
    server = bench.server(answers="500,garbage,cut,half,500,200*")
    tracker, uart = driving(bench, **bench.url(server.port))
    seen = tracker.wait_for(lambda status: get(status, "queue.problem"), 60, "the bad answer is told")
    tracker.expect(len(get(seen, "queue.problem").split()) >= 4, "a problem that says what is wrong")
    stored(tracker, 10)
    uart.toggle_silence()
    last = tracker.drain()
    expect_all_received_once(tracker, server, get(last, "queue.stored"))
    tracker.expect(server.summary()["requests"] >= 6, "all six answers heard")


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


def sync(tracker, *words):
    """`device-cli sync …`: exit status and the reply."""
    answer = tracker.cli("sync", *words, "--json", "--socket", tracker.socket)
    try:
        return answer.returncode, json.loads(answer.stdout) if answer.stdout else answer.stderr
    except ValueError:
        raise AssertionError(f"no JSON from sync {words}: {answer.stdout[:300]!r}") from None


def keep_driving(tracker, seconds):
    """Waits until so many more points are stored, at one every five seconds."""
    return stored(tracker, get(tracker.status(), "queue.stored", 0) + seconds // 5)


@case("A refused credential (401) ends uploads over a restart and keeps points and tracking; a new one goes on "
      "(E-175, E-177)", seconds=25)
def unauthorized(bench):
    server = bench.server(answers="401,200*")
    tracker, uart = driving(bench, **bench.url(server.port), headers={"Authorization": "Bearer s3cret-one"})
    seen = tracker.wait_for(lambda status: get(status, "queue.state") == "unconfigured", 60, "the 401 ends uploads")
    tracker.expect("401" in get(seen, "queue.problem", ""), "the reason told")
    seen = keep_driving(tracker, 120)
    tracker.expect(server.summary()["requests"] == 1, "one request and no more")
    tracker.expect(get(seen, "queue.pending") == get(seen, "queue.stored"), "every point still queued")
    tracker.stop()
    tracker.start()
    keep_driving(tracker, 60)
    tracker.expect(server.summary()["requests"] == 1, "the same credential refused after a restart too")
    lines = bench.folder / "headers"
    lines.write_text("# fresh\nAuthorization: Bearer s3cret-two\n")
    status, said = sync(tracker, "configure", "--url", f"http://127.0.0.1:{server.port}/points", "--headers-from", lines)
    tracker.expect(status == 0, f"the new credential taken, not: {said}")
    kept = pathlib.Path(tracker.state) / "sync.json"
    tracker.expect(kept.stat().st_mode & 0o777 == 0o600, "its file for the service user alone")
    uart.toggle_silence()
    last = tracker.drain()
    expect_all_received_once(tracker, server, get(last, "queue.stored"))
    tracker.stop()
    for place, _, names in os.walk(tracker.state):
        for name in names:
            # What the operator wrote is theirs, and so is the copy of the last good configuration.
            if name not in ("sync.json", "config.last-good.yaml"):
                data = (pathlib.Path(place) / name).read_bytes()
                tracker.expect(b"s3cret" not in data, f"no credential in {name} (E-194)")
    tracker.expect(b"s3cret" not in tracker.log.read_bytes(), "no credential in the log (E-194)")


@case("A server that forbids (403) is left alone until the operator resumes (E-178)", seconds=20)
def forbidden(bench):
    server = bench.server(answers="403,200*")
    tracker, uart = driving(bench, **bench.url(server.port))
    tracker.wait_for(lambda status: get(status, "queue.state") == "halted", 60, "the 403 halts uploads")
    keep_driving(tracker, 60)
    tracker.stop()
    tracker.start()
    keep_driving(tracker, 60)
    status, said = sync(tracker, "now")
    tracker.expect(status == 1 and "403" in said, f"sync now refused with the reason, not: {said}")
    tracker.expect(server.summary()["requests"] == 1, "one request and no more")
    uart.toggle_silence()
    tracker.expect(sync(tracker, "resume")[0] == 0, "resumed")
    last = tracker.drain()
    expect_all_received_once(tracker, server, get(last, "queue.stored"))


@case("Retry-After is kept to, in seconds and as a date (E-179); a redirect is followed within the origin (E-192)",
      seconds=30)
def server_times(bench):
    elsewhere = bench.server()
    server = bench.server(answers=f"307>/moved,429+300,503+date240,302>http://localhost:{elsewhere.port}/points,200*")
    tracker, uart = driving(bench, **bench.url(server.port))
    for expected, word in ((300, "429"), (240, "503")):
        seen = tracker.wait_for(
            lambda status, word=word: get(status, "queue.lastAnswer") == word and get(status, "queue.nextAttemptSec"), 60,
            f"the {word} is told")
        wait = get(seen, "queue.nextAttemptSec")
        tracker.expect(expected - 100 < wait <= expected, f"the next attempt in about {expected} s, not {wait}")
    tracker.wait_for(lambda status: get(status, "queue.lastAnswer") == "302", 60, "the redirect elsewhere is told")
    uart.toggle_silence()
    last = tracker.drain()
    expect_all_received_once(tracker, server, get(last, "queue.stored"))
    tracker.expect(elsewhere.summary()["requests"] == 0, "nothing sent to another origin")


@case("Batches that are too large are made smaller (E-180), one poison point is set aside and the rest flows "
      "(E-181, F-50)", seconds=40)
def poison(bench):
    port = free_port()
    tracker, uart = driving(bench, **bench.url(port))
    stored(tracker, 40)
    uart.toggle_silence()
    server = bench.server(port=port, refuse_point=7, most_points=16)
    seen = tracker.drain()
    tracker.expect(get(seen, "queue.quarantined") == 1, "one point set aside")
    points = server.points()
    tracker.expect(len(points) == get(seen, "queue.stored") - 1, "all others received")
    tracker.expect(server.summary()["duplicates"] == 0, "none twice")
    status, listed = sync(tracker, "quarantine", "list")
    tracker.expect(status == 0 and listed["rows"][0]["reason"] == "status 422", f"its reason in the list: {listed}")
    tracker.expect(listed["rows"][0]["uuid"] not in {point["uuid"] for point in points}, "the refused one in it")
    server.stop()
    bench.server(port=port)
    tracker.expect(sync(tracker, "quarantine", "retry")[1] == {"count": 1}, "queued again")
    status, said = sync(tracker, "now")
    tracker.expect(status == 0 or "draining" in said, f"uploaded, not: {said}")
    seen = tracker.drain()
    tracker.expect(not get(seen, "queue.quarantined"), "nothing set aside any more")


@case("sync test explains each step: refused connection, refused credential, all good", seconds=10)
def dry_exchange(bench):
    port = free_port()
    token = bench.folder / "token"
    token.write_text("Authorization: Bearer s3cret\n")
    token.chmod(0o600)
    tracker = bench.tracker(scale=1, upload={**bench.url(port), "credentialFile": str(token)}).start()

    def verdicts():
        status, said = sync(tracker, "test")
        tracker.expect("s3cret" not in json.dumps(said), "no credential in the answer")
        return status, {step["step"]: (step["verdict"], step["text"]) for step in said["steps"]}

    status, steps = verdicts()
    tracker.expect(status == 1 and steps["connect"][0] == "failed" and steps["HTTP"][0] == "skipped",
                   f"the refused connection named: {steps}")
    bench.server(port=port, answers="401,200*")
    status, steps = verdicts()
    tracker.expect(status == 1 and steps["answer"][0] == "failed" and "401" in steps["answer"][1],
                   f"the refused credential named: {steps}")
    status, steps = verdicts()
    tracker.expect(status == 0 and all(verdict == "ok" for verdict, _ in steps.values()), f"all good: {steps}")
    tracker.expect("1 header" in steps["credential"][1], f"the header of the file counted: {steps}")
    tracker.expect(get(tracker.status(), "queue.state") == "idle", "nothing torn down by a test")


@case("Too few points wait and say for what; the operator's request sends them, over a restart nothing is forgotten",
      seconds=20)
def minimum_batch(bench):
    server = bench.server()
    tracker, _ = driving(bench, **bench.url(server.port), minBatch=500)
    stored(tracker, 3)
    status, said = sync(tracker, "status")
    tracker.expect(status == 0 and "rows of 500" in said["policy"]["text"], f"the reason told, not: {said}")
    tracker.expect(server.summary().get("requests", 0) == 0, "nothing sent")
    link = json.loads(tracker.cli("link", "--json", "--socket", tracker.socket).stdout)
    tracker.expect(link["state"] in ("up", "down"), f"the link's state, not: {link}")
    tracker.expect(sync(tracker, "request")[0] == 0, "the request taken")
    seen = tracker.wait_for(lambda status: get(status, "queue.lastAnswer") == "200", 60, "the points are sent")
    tracker.expect(get(seen, "queue.today.rows", 0) >= 3 and get(seen, "queue.today.bytesPerPoint", 0) > 50, "their cost")
    tracker.stop()
    tracker.start()
    tracker.expect(get(tracker.status(), "queue.today.rows", 0) >= 3, "the cost kept")
