"""The receiver rests while the tracker is still."""
from case_list import case
from daemon import get

REST = {"baud": "auto", "powerControl": "ubx"}


def power(status, field):
    return get(status, f"receiver.power.{field}")


def driven(bench, family, speed, gnss=REST, **groups):
    """A tracker that lives through `delivery`: its journey, its receiver, itself."""
    journey = bench.journey("delivery")
    bench.battery.set(percent=80, charging=False)
    receiver = bench.receiver(family, speed, journey="delivery")
    bench.accel(journey.motion, speed)
    tracker = bench.tracker(
        scale=speed, gnss=gnss, accel={"bus": f"unix:{bench.bus}"}, motion={"stopTimeoutMin": 3}, **groups).start()
    return journey, receiver, tracker


@case("A parked tracker's receiver rests, looks again, and is woken by the drive; the track goes on", seconds=90)
def parked(bench):
    server = bench.server()
    journey, receiver, tracker = driven(
        bench, "ublox8", 20, upload=bench.url(server.port), service={"backstopIntervalMin": 5})
    tracker.wait_for(lambda status: get(status, "motion.state") == "moving", 30, "it drives")
    parked = tracker.wait_for(
        lambda status: get(status, "motion.state") == "stationary" and power(status, "state") == "off", 60,
        "it stands, and the receiver rests")
    tracker.expect(get(parked, "receiver.state") == "off" and not get(parked, "receiver.problem"), "rest is no fault")
    tracker.expect(power(parked, "nextFixSec") > 100, "the next look is told")
    starts, stored = power(parked, "starts"), get(parked, "queue.stored")
    looked = tracker.wait_for(
        lambda status: power(status, "starts") > starts and power(status, "state") == "off", 60, "it looks, and rests again")
    tracker.expect(power(looked, "firstFixSec.hot") < 20, "the time to a fix is told")
    tracker.expect(get(looked, "queue.stored") == stored, "a look at rest stores nothing")
    moving = tracker.wait_for(
        lambda status: get(status, "motion.state") == "moving", 120, "the drive is noticed",
        each=lambda status: tracker.expect(get(status, "receiver.state") != "silent", "never taken for silent"))
    tracker.expect(power(moving, "state") in ("acquiring", "tracking"), "the receiver is on")
    tracker.wait_for(lambda status: get(status, "queue.stored") >= stored + 8, 60, "the track goes on")
    tracker.wait_for(lambda status: get(status, "motion.state") in ("stopPending", "stationary"), 120, "it has arrived")
    length = get(tracker.status(), "session.distanceM")
    true = journey.distance_m
    tracker.expect(abs(length / true - 1) < 0.05, f"{length:.0f} m of {true:.0f} m")
    counts = receiver.end()
    tracker.expect(counts["sleeps"] >= 3, f"it slept: {counts}")


@case("A receiver that never wakes again is called, told of as silent, and does not stop the rest", seconds=30)
def never_wakes(bench):
    speed = 30
    bench.battery.set(percent=80, charging=False)
    bench.receiver("ublox8", speed, journey="parked-night", faults="120 never-wakes for 700\n")
    bench.accel("still 20000\n", speed)
    tracker = bench.tracker(
        scale=speed, gnss=REST, accel={"bus": f"unix:{bench.bus}"}, service={"backstopIntervalMin": 5}).start()
    tracker.wait_for(lambda status: power(status, "state") == "off", 30, "it rests")
    failed = tracker.wait_for(lambda status: power(status, "state") == "failed", 60, "it does not wake")
    tracker.expect(get(failed, "receiver.problem"), "a problem that is told")
    tracker.wait_for(lambda status: power(status, "state") == "off", 60, "it is found again, and rests")


@case("An Airoha module is stopped and started by PAIR commands while the tracker stands", seconds=60)
def airoha(bench):
    speed = 20
    bench.battery.set(percent=80, charging=False)
    receiver = bench.receiver("quectel", speed, journey="parked-night")
    bench.accel("still 20000\n", speed)
    tracker = bench.tracker(
        scale=speed, gnss={"baud": "auto", "powerControl": "pair"}, accel={"bus": f"unix:{bench.bus}"},
        service={"backstopIntervalMin": 5}).start()
    resting = tracker.wait_for(lambda status: power(status, "state") == "off", 30, "it rests")
    tracker.expect(power(resting, "rest") == "standby", "in standby")
    looked = tracker.wait_for(
        lambda status: power(status, "starts") >= 3 and power(status, "state") == "off", 60, "it looks, and rests again")
    tracker.expect(power(looked, "failures") is None and not get(looked, "receiver.problem"), "no start failed")
    tracker.expect(get(looked, "queue.stored") == 1, "a look at rest stores nothing")
    counts = receiver.end()
    tracker.expect(counts["sleeps"] >= 3, f"it slept: {counts}")


@case("On request the receiver rests between two fixes under way too, and the stop is the last point", seconds=60)
def rests_under_way(bench):
    _, receiver, tracker = driven(
        bench, "ublox8", 20, dict(REST, whileMoving="rest"),
        geolocation={"vehicularIntervalMs": 60000, "turnBurst": False})
    tracker.wait_for(
        lambda status: get(status, "motion.state") == "moving" and power(status, "state") == "off", 60,
        "it rests while it drives")
    stood = tracker.wait_for(
        lambda status: get(status, "motion.state") == "stationary" and power(status, "state") == "off", 90, "it stands")
    tracker.expect(get(stood, "queue.stored") >= 3, "a point a minute")
    tracker.expect(not get(stood, "receiver.problem"), "rest is no fault")
    counts = receiver.end()
    tracker.expect(counts["sleeps"] >= 4, f"it slept: {counts}")


@case("On request a u-blox tracks cyclically while the tracker moves, and no longer when it stands", seconds=45)
def cyclic(bench):
    _, _, tracker = driven(bench, "ublox10", 20, dict(REST, whileMoving="cyclic"))
    cycling = tracker.wait_for(lambda status: power(status, "cyclic"), 60, "it tracks cyclically")
    tracker.expect(get(cycling, "motion.state") == "moving" and power(cycling, "state") == "tracking", "while it moves")
    tracker.expect(get(cycling, "receiver.configured") == "yes", "as it was told")
    tracker.wait_for(
        lambda status: power(status, "state") == "off" and not power(status, "cyclic"), 90, "no more when it rests")
