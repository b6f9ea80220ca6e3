"""The battery and the accelerometers."""
import json

from bench import DrivenAccelerometer
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


@case("A fuel gauge on the bus is found by itself, and its fault is unknown after five minutes", seconds=25)
def gauge(bench):
    bench.accel("still 36000\n", 60, battery="battery 1000 50\ndrain 500 300\nfault 36000\n")
    tracker = bench.tracker(power={
        "supplyPath": bench.folder / "nothing", "gauge": "auto", "gaugeBus": f"unix:{bench.bus}"}).start()
    seen = tracker.wait_for(lambda status: get(status, "power.known") is True, 20, "the gauge is read")
    tracker.expect(get(seen, "power.percent") in (49, 50) and get(seen, "power.voltageMV", 0) > 3500, "its values")
    tracker.wait_for(lambda status: get(status, "power.isCharging") is False, 20, "it discharges")
    gone = tracker.wait_for(lambda status: get(status, "power.known") is False, 40, "a gauge that fails is unknown")
    tracker.expect(len(get(gone, "power.problem", "").split()) >= 4, "a problem that says what to do")
    tracker.expect(get(gone, "power.tier") == "normal", "the normal tier")


@case("A flat start powers nothing until it charges; the daemon says so (F-65)", seconds=15)
def boot_gate(bench):
    bench.battery.set(percent=4, charging=False)
    bench.uart(bench.journey("urban-drive").log, 60)
    tracker = bench.tracker().start()
    held = tracker.wait_for(lambda status: get(status, "power.gate"), 20, "the gate is shut")
    tracker.expect(get(held, "receiver.state") == "off" and get(held, "receiver.open") is False, "no receiver")
    bench.battery.set(percent=4, charging=True)
    tracker.wait_for(
        lambda status: get(status, "power.gate") is None and get(status, "receiver.state") == "fix3D", 40,
        "the receiver is on again")


@case("An operator's tier is shown, and ends by itself; battery answers without a daemon", seconds=15)
def override(bench):
    bench.battery.set(percent=80, charging=False)
    tracker = bench.tracker().start()
    tracker.wait_for(lambda status: get(status, "power.known") is True, 20, "the battery is read")
    tracker.expect(tracker.cli("power", "set", "saver", "--for", "5m", "--socket", tracker.socket).returncode == 0, "power set is taken")
    tracker.wait_for(lambda status: get(status, "power.tier") == "saver", 5, "the tier is saver")
    tracker.wait_for(lambda status: get(status, "power.tier") == "normal", 30, "it ends after 5 min of its clock")
    tracker.expect("mWh" in tracker.cli("power", "--socket", tracker.socket).stdout, "the ledger")
    tracker.stop()
    look = tracker.cli("battery", "--config", tracker.config)
    tracker.expect(look.returncode == 0 and look.stdout.startswith("80 %"), "the charge, read without the daemon")


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


def found(bench, chip, model, address):
    bench.accel("still 600\n", 5, chip=chip)
    tracker = bench.tracker(scale=5, accel={"bus": f"unix:{bench.bus}"}).start()
    seen = tracker.wait_for(
        lambda status: get(status, "accelerometer.stillSec", 0) > 5, 30, "the chip is found, and lies still")
    tracker.expect(model in get(seen, "accelerometer.model", ""), f"an {model}")
    tracker.expect(get(seen, "accelerometer.address") == address, f"at {address}")
    tracker.expect(get(seen, "motion.quality") == "degraded", "degraded without a wake interrupt")
    sensors = json.loads(tracker.cli("sensors", "--self-test", "--json", "--socket", tracker.socket).stdout)
    tracker.expect(get(sensors, "selfTest.passed") is True, f"a passed self-test, not {sensors}")
    tracker.expect(get(sensors, "stepCounting") is True and get(sensors, "accelerometer.noiseG", 1) < 0.015,
                   f"a quiet chip that counts steps, not {sensors}")
    page = tracker.cli("sensors", "--socket", tracker.socket).stdout
    tracker.expect(model in page and "a wired wake interrupt" in page, f"a page that says what is missing, not {page}")


@case("An MPU-6050 is found by itself, passes its self-test and says what it is short of")
def mpu6050(bench):
    found(bench, "mpu6050", "MPU-6050", "0x68")


@case("A BMI160 is found by itself, passes its self-test and says what it is short of")
def bmi160(bench):
    found(bench, "bmi160", "BMI160", "0x68")


@case("An ADXL345 is found by itself, passes its self-test and says what it is short of")
def adxl345(bench):
    found(bench, "adxl345", "ADXL345", "0x53")


@case("Frozen registers are poor motion quality within seconds, and degraded again within a minute (E-108)", seconds=20)
def frozen(bench):
    bench.accel("still 3600\n", 10, chip="mpu6500", faults="30 frozen for 60\n")
    tracker = bench.tracker(scale=10, accel={"bus": f"unix:{bench.bus}"}).start()
    tracker.wait_for(lambda status: get(status, "accelerometer.state") == "ok", 20, "the chip answers")
    poor = tracker.wait_for(lambda status: get(status, "motion.quality") == "poor", 20, "the quality is poor")
    tracker.expect("repeats one value" in get(poor, "accelerometer.problem", ""), "a problem that says why")
    tracker.wait_for(lambda status: get(status, "motion.quality") == "degraded", 30, "the quality is degraded again")


@case("A bus that is held low is a fault that heals by itself, and capture goes on (E-106)", seconds=20)
def held_low(bench):
    bench.accel("still 3600\n", 10, chip="adxl345", faults="30 stuck for 60\n")
    tracker = bench.tracker(scale=10, accel={"bus": f"unix:{bench.bus}"}).start()
    tracker.wait_for(lambda status: get(status, "accelerometer.state") == "ok", 20, "the chip answers")
    fault = tracker.wait_for(lambda status: get(status, "accelerometer.state") == "fault", 20, "the fault is seen")
    tracker.expect(get(fault, "service.state") == "running" and get(fault, "accelerometer.problem"), "a problem is told")
    refused = tracker.cli("sensors", "--self-test", "--socket", tracker.socket)
    tracker.expect(refused.returncode == 1 and "no accelerometer works" in refused.stderr, "no self-test meanwhile")
    tracker.wait_for(lambda status: get(status, "accelerometer.state") == "ok", 60, "it answers again")


@case("An accelerometer that the kernel drives is read from its buffer; pulled, it is a fault that heals", seconds=20)
def driven(bench):
    chip = DrivenAccelerometer(bench.folder / "iio")
    chip.run(5)
    tracker = bench.tracker(scale=5, accel={"bus": f"iio:{chip.path}"}).start()
    seen = tracker.wait_for(lambda status: get(status, "accelerometer.stillSec", 0) > 5, 30, "it lies still")
    tracker.expect(get(seen, "accelerometer.model") == "lis2dh12_accel", "the driver's name")
    tracker.expect(get(seen, "motion.quality") == "degraded", "degraded without a wake interrupt")
    tracker.expect(chip.get("trigger/current_trigger") == "lis2dh12_accel-trigger", "the driver's own trigger")
    sensors = json.loads(tracker.cli("sensors", "--json", "--socket", tracker.socket).stdout)
    tracker.expect(get(sensors, "missing") == ["a wired wake interrupt"], f"nothing else missing, not {sensors}")
    chip.stop()
    # Samples that came late may have been the first fault.
    gone = tracker.wait_for(lambda status: "is gone" in get(status, "accelerometer.problem", ""), 20, "it says why")
    tracker.expect(get(gone, "accelerometer.state") == "fault", "a fault")
    chip.run(5)
    tracker.wait_for(lambda status: get(status, "accelerometer.state") == "ok", 30, "it works again")
    tracker.stop()
    tracker.expect(chip.get("buffer/enable") == "0", "the buffer is left off")
    chip.stop()
