"""Whole journeys: parked, driving, parked; and a drive during which the daemon is killed."""
import json

from case_list import case
from daemon import get, milliseconds

# The bench's clocks (player, accelerometer, daemon) start within half a second of each other.
SLACK_S = 0.5


@case("Parked two hours one point is stored, a drive is moving within 30 s and stationary 300 s after its end",
      seconds=170)
def parked_drive_parked(bench):
    journey = bench.journey("park-drive-park")
    speed = 60
    slack_ms = 1000 * speed * SLACK_S
    server = bench.server()
    tracker = bench.tracker(
        scale=speed, accel={"bus": f"unix:{bench.bus}"}, gnss={"device": bench.link},
        upload=bench.url(server.port))
    bench.accel(journey.motion, speed)
    bench.uart(journey.log, speed)
    tracker.start()

    parked = []

    def while_parked(status):
        now = get(status, "clock.utc")
        if now and get(status, "clock.trusted") and milliseconds(now) < journey.drive_start_ms - slack_ms:
            parked.append(get(status, "queue.stored", 0))

    moving = tracker.wait_for(
        lambda status: get(status, "motion.state") == "moving" and get(status, "queue.stored", 0) > 1,
        (journey.drive_start_ms - journey.truth[0][0]) / 1000 / speed + 60, "the drive is moving", each=while_parked)
    tracker.expect(parked and parked[-1] == 1 and max(parked) == 1,
                   f"one point stored while parked, not {max(parked or [0])}")
    after = (milliseconds(get(moving, "motion.since")) - journey.drive_start_ms) / 1000
    tracker.expect(-speed * SLACK_S <= after <= 30, f"moving within 30 s of the drive's start, not {after:.1f} s")

    still = tracker.wait_for(
        lambda status: get(status, "motion.state") == "stationary",
        (journey.truth[-1][0] - journey.drive_start_ms) / 1000 / speed + 30, "the parked vehicle is stationary")
    after = (milliseconds(get(still, "motion.since")) - journey.drive_end_ms) / 1000
    # The stop is noticed with the first still fix of the 12 s cadence; five minutes count from there.
    tracker.expect(300 - speed * SLACK_S <= after <= 330 + speed * SLACK_S,
                   f"stationary 300 s after the drive's end, not {after:.1f} s")
    tracker.expect(abs(get(still, "session.distanceM", 0) / journey.distance_m - 1) < 0.1,
                   f"a distance within 10 % of {journey.distance_m:.0f} m")
    last = tracker.drain()
    summary = server.summary()
    tracker.expect(summary["uuids"] == get(last, "queue.stored"), f"all points received, not {summary}")
    tracker.expect(tracker.stop() == 0, "exit 0 when told to end")


@case("Killed five times during a drive, no stored point is lost and none is received under another uuid",
      seconds=60, on_board=True)
def killed_during_a_drive(bench):
    server = bench.server()
    tracker = bench.tracker(
        scale=30, upload={**bench.url(server.port), "autoSyncCoalesceSec": 5},
        geolocation={"intervalMs": 5000, "vehicularIntervalMs": 5000})
    uart = bench.uart(bench.journey("urban-drive").log, 30)
    tracker.start()
    session, stored = None, 0
    for kill in range(5):
        # A different moment of the loop each time: the fraction of a second moves on.
        goal = stored + 4
        seen = tracker.wait_for(
            lambda status: get(status, "queue.stored", 0) >= goal, 60 * 30 / tracker.scale, f"{goal} points are stored")
        stored = get(seen, "queue.stored")
        session = session or get(seen, "session.id")
        tracker.kill()
        tracker.start()
        again = tracker.wait_for(lambda status: get(status, "session.id"), 20, "a session is open again")
        tracker.expect(get(again, "queue.stored", 0) >= stored, f"the {stored} points seen before kill {kill + 1}")
        tracker.expect(get(again, "session.id") == session, f"the session {session} resumed")
        tracker.expect(get(again, "session.resumed") is True, "the session marked as resumed")
    goal = stored + 4
    tracker.wait_for(lambda status: get(status, "queue.stored", 0) >= goal, 60 * 30 / tracker.scale, "it goes on")
    uart.toggle_silence()
    last = tracker.drain()
    expect_all_received_once(tracker, server, get(last, "queue.stored"))


@case("A journey's receiver log judged against its true path is off by the receiver's error", seconds=3)
def judged(bench):
    journey = bench.journey("urban-drive")
    tracker = bench.tracker()
    answer = tracker.cli("judge", journey.log, "--truth", journey.truth_file, "--json")
    tracker.expect(answer.returncode == 0, f"a judgement: {answer}")
    found = json.loads(answer.stdout)
    tracker.expect(found["track"]["format"] == "receiver log" and found["truth"]["format"] == "CSV", f"both read: {found}")
    tracker.expect(found["points"]["scored"] == len(journey.truth), f"a fix for each second: {found['points']}")
    tracker.expect(1 < found["points"]["errorM"]["p50"] < 6 and found["points"]["errorM"]["max"] < 30,
                   f"the receiver's error: {found['points']}")
    tracker.expect(abs(found["length"]["truthM"] / journey.distance_m - 1) < 0.006, f"its length: {found['length']}")
    tracker.expect(found["turns"]["count"] > 10 and found["missedMoves"]["count"] == 0, f"turns, nothing missed: {found}")
    refused = tracker.cli("judge", journey.log, "--truth", journey.motion)
    tracker.expect(refused.returncode == 1 and f"{journey.motion}:" in refused.stderr, f"the file's name: {refused}")
    tracker.expect(tracker.cli("judge", journey.log).returncode == 2, "usage without --truth")


def expect_all_received_once(tracker, server, stored):
    """The server has each stored point under one uuid, and no fix under two."""
    points = server.points()
    uuids = [point["uuid"] for point in points]
    fixes = {(point["time"], point["latitude"], point["longitude"]) for point in points}
    tracker.expect(len(set(uuids)) == stored, f"{stored} points received, not {len(set(uuids))}")
    tracker.expect(len(fixes) == len(set(uuids)), f"{len(set(uuids))} uuids of as many fixes, not {len(fixes)}")
