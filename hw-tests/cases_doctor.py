"""What `device-cli doctor` names on healthy and on broken benches (A-25)."""
import json
import os
import pathlib
import signal
import subprocess

from case_list import case
from cases_time import Clock
from daemon import get
from line import Line
from process import Failed, Skipped

PEACE = "still 36000\n"


def look(tracker, under=()):
    """What the doctor says: numbers of the rungs that failed, warned and were skipped; its exit status goes with them."""
    answer = tracker.place.run(
        [*under, tracker.place.device_cli, "doctor", "--json", "--config", tracker.config, "--socket", tracker.socket], 60)
    try:
        checks = json.loads(answer.stdout)["checks"]
    except (ValueError, KeyError):
        raise Failed(f"the doctor said {answer.stdout!r} {answer.stderr!r}") from None
    found = {verdict: [check["number"] for check in checks if check["verdict"] == verdict]
             for verdict in ("ok", "warn", "fail", "skipped")}
    status = 4 if found["fail"] else 5 if found["warn"] else 0
    if answer.returncode != status:
        raise Failed(f"exit status {answer.returncode}, not {status}: {answer.stdout}")
    for check in checks:
        if check["verdict"] in ("warn", "fail") and not check["remedies"]:
            raise Failed(f"no remedy: {check}")
    found["text"] = answer.stdout
    return found


def expect(tracker, found, fail=(), warn=(), saying=""):
    tracker.expect(found["fail"] == list(fail) and found["warn"] == list(warn) and saying in found["text"],
                   f"failed {list(fail)}, warned {list(warn)}, saying '{saying}'; the doctor said {found['text']}")


def whole(bench, **groups):
    """A daemon with all that a board may have; only its clock is this machine's."""
    bench.accel(PEACE, 1, battery="battery 1000 80\n")
    groups = {"accel": {"bus": f"unix:{bench.bus}"}, **groups}
    return bench.tracker(scale=1, **groups)


def has_fix_and_chip(status):
    return get(status, "receiver.state") == "fix3D" and get(status, "accelerometer.state") == "ok"


@case("A healthy bench passes every rung of the doctor; an hour's wrong clock is named, and an unknown key (A-25)", seconds=25)
def healthy(bench):
    line = Line(bench.link)
    server = bench.server()
    tracker = whole(bench, upload=bench.url(server.port))
    with Clock(line, 0):
        tracker.start()
        tracker.wait_for(has_fix_and_chip, 30, "receiver and accelerometer work")
        found = look(tracker)
        expect(tracker, found)
        tracker.expect(set(found["skipped"]) <= {8}, f"nothing but the units left out, not {found['text']}")
        page = tracker.cli("doctor", "--config", tracker.config, "--socket", tracker.socket)
        tracker.expect(page.returncode == 0 and "0 failed, 0 warned" in page.stdout, f"a page, not {page.stdout}")
        tracker.write_config(open(tracker.config).read() + "\nbogus:\n  key: 1\n")
        expect(tracker, look(tracker), fail=[10], saying="bogus.key")
    tracker.stop()
    with Clock(line, 3600):
        tracker.configure(**tracker.groups)
        tracker.start()
        tracker.wait_for(has_fix_and_chip, 30, "receiver and accelerometer work")
        expect(tracker, look(tracker), warn=[4], saying="behind")


@case("Without a daemon the doctor looks itself and names it; a port that is absent or silent too (A-25)", seconds=40)
def alone(bench):
    line = Line(bench.link)
    tracker = whole(bench)
    pathlib.Path(tracker.state).mkdir()
    with Clock(line, 0):
        found = look(tracker)
        expect(tracker, found, fail=[1], saying="start the tracker")
        tracker.expect({2, 3, 5, 6} <= set(found["ok"]), f"receiver, chip and gauge found, not {found['text']}")
    # Unlike a port, a pseudo-terminal keeps what came when nobody had it open.
    line.unplug()
    line.plug()
    found = look(tracker)
    expect(tracker, found, fail=[1, 2], saying="nothing arrives")
    tracker.configure(**{**tracker.groups, "gnss": {"device": bench.folder / "nothing"}})
    found = look(tracker)
    expect(tracker, found, fail=[1, 2], saying="No such file")
    tracker.expect(3 in found["skipped"], "the receiver is left out")


@case("A look of the doctor that fails is named, and so is a daemon that hangs: the devices are not judged then (A-25)", seconds=15)
def blind(bench):
    line = Line(bench.link)
    tracker = whole(bench)
    pathlib.Path(tracker.state).mkdir()
    found = look(tracker, under=["prlimit", "--nofile=5"])
    expect(tracker, found, fail=[1], saying="Too many open files")
    tracker.expect(set(found["skipped"]) - {8} == {2, 3, 4, 5, 6, 9}, f"not {found['text']}")
    with Clock(line, 0):
        tracker.start()
        tracker.wait_for(has_fix_and_chip, 30, "receiver and accelerometer work")
        tracker.signal(signal.SIGSTOP)
        found = look(tracker)
        tracker.signal(signal.SIGCONT)
    expect(tracker, found, fail=[1], saying="does not answer")
    tracker.expect(set(found["skipped"]) - {8} == {2, 3, 4, 5, 6, 9}, f"not {found['text']}")


@case("The doctor names a chip that is absent, a gauge that is, and a supply that sags (A-25)", seconds=20)
def absent(bench):
    hwmon = bench.folder / "hwmon" / "hwmon0"
    hwmon.mkdir(parents=True)
    (hwmon / "name").write_text("rpi_volt\n")
    (hwmon / "in0_lcrit_alarm").write_text("0\n")
    power = {"supplyPath": bench.folder / "none", "hwmonPath": hwmon.parent, "gauge": "max17048",
             "gaugeBus": f"unix:{bench.folder}/no-gauge"}
    line = Line(bench.link)
    tracker = bench.tracker(scale=1, accel={"bus": f"unix:{bench.folder}/no-bus"}, power=power)
    with Clock(line, 0):
        tracker.start()
        tracker.wait_for(lambda status: get(status, "receiver.state") == "fix3D", 30, "the receiver has a fix")
        tracker.wait_for(lambda status: get(status, "power.problem"), 30, "the gauge was asked for")
        expect(tracker, look(tracker), warn=[5, 6], saying="no-gauge")
        (hwmon / "in0_lcrit_alarm").write_text("1\n")
        expect(tracker, look(tracker), warn=[5, 6], saying="the supply sags")


def chip(bench, saying, until, faults=None, script=PEACE):
    bench.accel(script, 20, faults=faults)
    tracker = bench.tracker(scale=20, accel={"bus": f"unix:{bench.bus}"}).start()
    tracker.wait_for(until, 30, "the fault is seen")
    found = look(tracker)
    tracker.expect(5 in found["warn"] and saying in found["text"], f"rung 5 saying '{saying}', not {found['text']}")


@case("The doctor names a chip of another kind (A-25)", seconds=10)
def wrong_id(bench):
    chip(bench, "no known accelerometer", lambda status: get(status, "accelerometer.state") == "fault",
         faults="0 wrong-id for 36000\n")


@case("The doctor names a chip that is frozen (A-25)", seconds=10)
def frozen(bench):
    chip(bench, "repeats one value", lambda status: get(status, "motion.quality") == "poor", faults="0 frozen for 36000\n")


@case("The doctor names a chip that is noisy (A-25)", seconds=15)
def noisy(bench):
    chip(bench, "noise below", lambda status: get(status, "service.uptimeSec", 0) > 150, script="driving 36000\n")


@case("The doctor names a socket that is closed to it, and leaves the devices to the daemon (A-25)", seconds=10)
def closed(bench):
    if os.geteuid() != 0:
        raise Skipped("only root can ask as somebody else")
    line = Line(bench.link)
    tracker = whole(bench)
    with Clock(line, 0):
        tracker.start()
        tracker.wait_for(has_fix_and_chip, 30, "receiver and accelerometer work")
        answer = subprocess.run(
            ["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups", tracker.place.device_cli, "doctor",
             "--json", "--config", tracker.config, "--socket", tracker.socket, "--state-dir", tracker.state],
            capture_output=True, text=True, timeout=30)
        checks = {check["number"]: check for check in json.loads(answer.stdout or "{}").get("checks", [])}
        tracker.expect(answer.returncode == 4 and checks[1]["verdict"] == "fail", f"rung 1, not {answer.stdout}{answer.stderr}")
        tracker.expect("group" in checks[1]["remedies"][0], f"the group to join, not {checks[1]}")
        tracker.expect(all(checks[number]["verdict"] == "skipped" for number in (2, 3, 4, 5, 6, 9)), f"{answer.stdout}")


@case("The doctor names a missing route, a server that is away, and a console on the port (A-25)", seconds=30)
def ways(bench):
    line = Line(bench.link)
    tracker = whole(bench, upload={"url": "https://example.invalid/points"}, link={"interface": "nothing0"})
    with Clock(line, 0):
        tracker.start()
        tracker.wait_for(has_fix_and_chip, 30, "receiver and accelerometer work")
        expect(tracker, look(tracker), warn=[9], saying="no route")
        tracker.reconfigure(upload={"url": "http://127.0.0.1:1/points", "allowCleartext": True})
        tracker.wait_for(has_fix_and_chip, 30, "receiver and accelerometer work")
        expect(tracker, look(tracker), warn=[9], saying="connect")
        tracker.reconfigure(upload={"url": ""})
        line.write(b"\r\nraspberrypi login: ")
        tracker.wait_for(lambda status: get(status, "receiver.consoleText"), 20, "the console is heard")
        tracker.wait_for(lambda status: get(status, "accelerometer.state") == "ok", 20, "the accelerometer works")
        expect(tracker, look(tracker), fail=[2], saying="serial-getty")
