"""The battery and the accelerometer."""
from case_list import case
from daemon import get


@case("A falling battery lowers the power tier, and a charger raises it again", seconds=15)
def battery(bench):
    bench.battery.set(percent=45, charging=False)
    tracker = bench.tracker().start()
    seen = tracker.wait_for(lambda status: get(status, "power.percent") == 45, 20, "the battery is read")
    tracker.expect(get(seen, "power.known") is True and get(seen, "power.tier") == "normal", "the normal tier")
    bench.battery.set(percent=27, charging=False)
    tracker.wait_for(lambda status: get(status, "power.tier") == "saver", 30, "the tier is saver")
    bench.battery.set(percent=12, charging=False)
    tracker.wait_for(lambda status: get(status, "power.tier") == "critical", 30, "the tier is critical")
    bench.battery.set(percent=28, charging=True)
    tracker.wait_for(
        lambda status: get(status, "power.tier") == "normal" and get(status, "power.isCharging") is True, 30,
        "the charger ends the saving")


@case("An unreadable battery is unknown, never empty")
def no_battery(bench):
    tracker = bench.tracker(power={"supplyPath": bench.folder / "nothing"}).start()
    seen = tracker.wait_for(lambda status: get(status, "power.known") is not None, 20, "the power state is told")
    tracker.expect(get(seen, "power.known") is False, "an unknown battery")
    tracker.expect(get(seen, "power.percent") is None and get(seen, "power.tier") == "normal", "the normal tier")


@case("A chip that stops answering is a fault that heals by itself (E-105)", seconds=15)
def accelerometer_fault(bench):
    # Ten times real: the fault lasts 6 s of this machine.
    bench.accel("still 30\nfault 60\nstill 600\n", 10)
    tracker = bench.tracker(scale=10, accel={"bus": f"unix:{bench.bus}"}).start()
    tracker.wait_for(lambda status: get(status, "accelerometer.state") == "ok", 20, "the chip answers")
    fault = tracker.wait_for(lambda status: get(status, "accelerometer.state") == "fault", 20, "the fault is seen")
    tracker.expect(len(get(fault, "accelerometer.problem", "").split()) >= 5, "a problem that says what to do")
    tracker.wait_for(lambda status: get(status, "accelerometer.state") == "ok", 60, "it answers again")


@case("A missing accelerometer is reported and capture goes on without it (E-117)", seconds=10)
def no_accelerometer(bench):
    tracker = bench.tracker(scale=30, accel={"bus": f"unix:{bench.bus}"})
    bench.uart(bench.journey("urban-drive").log, 30)
    tracker.start()
    seen = tracker.wait_for(
        lambda status: get(status, "accelerometer.state") == "fault" and get(status, "queue.stored", 0) > 0, 60,
        "the fault is told and points are stored")
    tracker.expect(get(seen, "accelerometer.problem"), "a problem that says what to do")
