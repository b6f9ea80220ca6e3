"""A modem that ModemManager owns (docs/modules/modem.md)."""
import json
import os
import subprocess

from case_list import case
from daemon import get, milliseconds
from modems import SystemBus
from process import Skipped

REGISTERED = {"State": 8, "SignalQuality": 62, "AccessTechnologies": 1 << 14}
HOME = {"RegistrationState": 1, "OperatorName": "Bench Mobile"}


def modem(status, field):
    return get(status, f"link.modem.{field}")


def stage(name):
    return lambda status: modem(status, "stage") == name


def fault(name):
    return lambda status: modem(status, "fault") == name


def problem(text):
    return lambda status: text in (modem(status, "problem") or get(status, "link.noModem") or "")


def start(bench, bus, scale=1, under=(), **link):
    """`link.interface` is one that this machine does not have: no route ever."""
    link = {"modemManager": "auto", "interface": "wwan0", **link}
    return bench.tracker(scale=scale, gnss={"device": bench.folder / "none"}, link=link).start(
        under=[*under, "env", bus.address])


@case("A modem of ModemManager is found, registers, and its signal is in status as it changes", seconds=12)
def watched(bench):
    with SystemBus(bench) as bus, bus.modem_manager() as manager:
        tracker = start(bench, bus)
        searching = tracker.wait_for(stage("registering"), 15, "it searches")
        tracker.expect(get(searching, "link.state") == "registering", "the link says so")
        tracker.expect(modem(searching, "registration") == "searching" and modem(searching, "sim") == "ready", "SIM and search")
        manager.tell(network=HOME, modem=REGISTERED)
        found = tracker.wait_for(stage("routing"), 15, "it is registered")
        tracker.expect(
            (modem(found, "registration"), modem(found, "network"), modem(found, "technology"), modem(found, "quality"))
            == ("home", "Bench Mobile", "LTE", 62), "its network is told")
        manager.tell(modem={"SignalQuality": 17}, network={"RegistrationState": 5})
        tracker.wait_for(
            lambda status: modem(status, "quality") == 17 and modem(status, "registration") == "roaming", 15, "the change")
        page = tracker.cli("link", "--socket", tracker.socket).stdout
        tracker.expect("roaming, Bench Mobile, LTE, signal 17 of 100" in page, f"device-cli link shows it: {page!r}")
        tracker.expect(sum(event["event"] == "asked" for event in manager.events) == 1, "asked once, then told")
        manager.tell(remove=True)
        tracker.wait_for(problem("ModemManager has no modem"), 15, "it is gone")
        manager.tell(add=True)
        tracker.wait_for(lambda status: stage("registering")(status) and not modem(status, "problem"), 15, "it is back")
        tracker.expect(not manager.calls, "nothing was done to it")


@case("A SIM that is missing or locked, a refusal and a modem that is off have their names", seconds=25)
def faults(bench):
    with SystemBus(bench) as bus, bus.modem_manager() as manager:
        tracker = start(bench, bus, scale=20)
        manager.tell(modem={"State": -1, "StateFailedReason": 2})
        absent = tracker.wait_for(fault("simAbsent"), 15, "no SIM")
        tracker.expect(get(absent, "link.state") == "noService" and modem(absent, "sim") == "absent", "no service")
        manager.tell(modem={"State": 2, "StateFailedReason": 0, "UnlockRequired": 2})
        tracker.wait_for(fault("simLocked"), 15, "locked")
        manager.tell(modem={"State": 3, "UnlockRequired": 1})
        tracker.wait_for(fault("disabled"), 15, "disabled")
        manager.tell(modem={"State": 7}, network={"RegistrationState": 3})
        denied = tracker.wait_for(fault("denied"), 20, "denied")
        tracker.expect("contract" in modem(denied, "remedy"), "with what to do")
        manager.wait_for(lambda: manager.calls, "it is mended")


@case("ModemManager that is absent, killed, started again, senseless or without its bus is survived and said", seconds=40)
def survived(bench):
    with SystemBus(bench) as bus:
        tracker = start(bench, bus, scale=20)
        tracker.wait_for(problem("ModemManager is not running"), 15, "it is absent")
        page = tracker.cli("link", "--socket", tracker.socket).stdout
        tracker.expect("no modem: ModemManager is not running" in page, f"device-cli link says so: {page!r}")
        tracker.expect(not get(tracker.status(), "link.modem"), "no modem where none was ever seen")
        with bus.modem_manager("--empty") as manager:
            tracker.wait_for(problem("ModemManager has no modem"), 15, "it has none")
            manager.tell(add=True)
            tracker.wait_for(stage("registering"), 15, "a modem is plugged in")
        tracker.wait_for(problem("ModemManager has ended"), 15, "it was killed")
        tracker.wait_for(fault("noModem"), 15, "and its limit is over")
        with bus.modem_manager() as manager:
            tracker.wait_for(lambda status: stage("registering")(status) and not modem(status, "problem"), 15, "it is back")
            manager.tell(nonsense=True)
            manager.tell(modem={"State": 8})
            tracker.wait_for(stage("routing"), 15, "what it says is taken")
            bus.stop()
            tracker.wait_for(problem("is D-Bus running?"), 15, "the bus is gone")
    with SystemBus(bench) as bus, bus.modem_manager() as manager:
        tracker.wait_for(stage("registering"), 40, "a new bus is found")
        bus.stop()
    with SystemBus(bench) as bus, bus.modem_manager("--nonsense") as manager:
        tracker.wait_for(problem("makes no sense"), 40, "nonsense is told")
        manager.tell(nonsense=False)
        tracker.wait_for(
            lambda status: stage("registering")(status) and not modem(status, "problem"), 40, "and got over")


@case("F-68: a missing route is mended through ModemManager: reconnect, then reset; what it refuses is told", seconds=60)
def mended(bench):
    with SystemBus(bench) as bus, bus.modem_manager() as manager:
        manager.tell(network=HOME, modem={**REGISTERED, "State": 11})
        tracker = start(bench, bus, scale=60)
        tracker.wait_for(fault("noRoute"), 15, "no route")
        manager.wait_for(lambda: len(manager.calls) >= 2, "it is reconnected")
        tracker.expect(
            manager.calls[:2] == [("Disconnect", "/"), ("Bearer.Connect",)], f"the connection is made again: {manager.calls}")
        manager.wait_for(lambda: ("Reset",) in manager.calls, "it is reset", 30)
        # As after a reset: another object, and this time the reset is not allowed.
        manager.tell(remove=True)
        manager.tell(add=True, refuse="Reset")
        tracker.wait_for(stage("registering"), 15, "it starts again")
        refused = tracker.wait_for(problem("Reset failed: not for you"), 60, "a reset that is not allowed is told")
        tracker.expect("60-tracker-modem.rules" in modem(refused, "problem"), "with what to do")
        tracker.expect(modem(refused, "lastRemedy") == "reset", "the last remedy")


def switched(bench, bus, scale):
    """Its power is ours; it is wanted for an address where nobody answers."""
    return bench.tracker(
        scale=scale, gnss={"device": bench.folder / "none"},
        upload={"url": "http://192.0.2.1/points", "allowCleartext": True},
        link={"modemManager": "auto", "modemPower": "modemManager", "interface": "wwan0"}).start(
            under=["env", bus.address])


def want(tracker):
    now = milliseconds(get(tracker.status(), "clock.utc"))
    fix = json.dumps({"latitude": 47.0, "longitude": 8.0, "accuracyM": 5, "timeMs": now})
    subprocess.run(
        [tracker.place.device_cli, "offer", "-", "--socket", tracker.socket], input=fix, text=True, check=True,
        capture_output=True)
    tracker.cli("sync", "now", "--socket", tracker.socket)


@case("Beside NetworkManager the modem's connection is only dropped, and its power is NetworkManager's switch, six cycles a day", seconds=90)
def network_manager(bench):
    with SystemBus(bench) as bus, bus.modem_manager("--network-manager") as manager:
        manager.tell(network=HOME, modem={**REGISTERED, "State": 11})
        tracker = switched(bench, bus, scale=400)
        manager.wait_for(lambda: manager.calls == [("WwanEnabled", 0)], "its radio is off")
        tracker.wait_for(stage("off"), 15, "and stays so while nobody wants it")
        want(tracker)
        tracker.wait_for(fault("noRoute"), 30, "it is wanted")
        manager.wait_for(lambda: ("Disconnect", "/") in manager.calls, "its connection is dropped")
        manager.wait_for(lambda: manager.calls.count(("WwanEnabled", 0)) > 6, "its power is cycled", 120)
        calls = manager.calls
        tracker.expect(calls[:3] == [("WwanEnabled", 0), ("WwanEnabled", 1), ("Disconnect", "/")], f"the order: {calls}")
        tracker.expect(("Bearer.Connect",) not in calls, "to connect is NetworkManager's")
        tracker.wait_for(lambda status: modem(status, "powerCyclesToday") == 6, 30, "six cycles")


@case("A switch that NetworkManager does not let us use is told, with the rule that allows it", seconds=8)
def switch_refused(bench):
    with SystemBus(bench) as bus, bus.modem_manager("--network-manager") as manager:
        manager.tell(refuse="WwanEnabled")
        tracker = switched(bench, bus, scale=1)
        refused = tracker.wait_for(problem("WwanEnabled failed: not for you"), 15, "the refusal is told")
        tracker.expect("60-tracker-modem.rules" in modem(refused, "problem"), "with what to do")


@case("Without NetworkManager a power cycle waits for a modem that takes its time to be disabled", seconds=30)
def slow_cycle(bench):
    with SystemBus(bench) as bus, bus.modem_manager() as manager:
        manager.tell(network=HOME, modem={**REGISTERED, "State": 11}, slow=0.5)
        tracker = switched(bench, bus, scale=200)
        off, on = [("Enable", 0), ("SetPowerState", 2)], [("SetPowerState", 3), ("Enable", 1)]
        manager.wait_for(lambda: manager.calls == off, "it is off")
        want(tracker)
        tracker.wait_for(fault("noRoute"), 15, "it is wanted")
        manager.wait_for(lambda: manager.calls.count(("Enable", 1)) > 1, "its power is cycled", 40)
        calls = [call for call in manager.calls if call[0] in ("Enable", "SetPowerState")]
        tracker.expect(calls[:8] == off + on + off + on, f"one after the other: {calls}")


@case("The modem's route comes and goes: up, reconnected when it is lost, calm when it is back", seconds=30)
def routed(bench):
    # The daemon in a network of its own, whose only interface is called wwan0.
    under = ["unshare", "--net"] if os.geteuid() == 0 else ["unshare", "--user", "--map-root-user", "--net"]
    made = "ip link set lo name wwan0 && ip link set wwan0 up && ip addr add 192.0.2.2/24 dev wwan0"
    route = "ip route {} default dev wwan0"
    tried = subprocess.run([*under, "sh", "-c", f"{made} && {route.format('add')}"], capture_output=True, check=False)
    if tried.returncode != 0:
        raise Skipped(f"no network of its own: {tried.stderr.decode().strip()}")
    with SystemBus(bench) as bus, bus.modem_manager() as manager:
        manager.tell(network=HOME, modem={**REGISTERED, "State": 11})
        tracker = start(
            bench, bus, scale=20, under=[*under, "sh", "-c", f"{made} && {route.format('add')} && exec \"$@\"", "sh"])
        inside = ["nsenter", f"--target={tracker.process.pid}", "--net"]
        inside += [] if os.geteuid() == 0 else ["--user", "--preserve-credentials"]
        up = tracker.wait_for(stage("up"), 15, "it is up")
        tracker.expect(get(up, "link.state") == "up" and get(up, "link.quality") == 62, "up, with its quality")
        subprocess.run([*inside, *route.format("del").split()], check=True)
        tracker.wait_for(stage("routing"), 15, "its route is lost")
        manager.wait_for(lambda: len(manager.calls) >= 2, "it is reconnected")
        subprocess.run([*inside, *route.format("add").split()], check=True)
        tracker.wait_for(lambda status: stage("up")(status) and not modem(status, "fault"), 15, "it is back")
        tracker.expect(manager.calls == [("Disconnect", "/"), ("Bearer.Connect",)], f"no more than that: {manager.calls}")
