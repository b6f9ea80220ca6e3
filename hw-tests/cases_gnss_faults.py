"""What goes wrong at and in the receiver, by the script of the simulated one."""
from case_list import case
from cases_gnss import AUTO, works
from cases_receiver import expect_remedy, has_fix, problem
from daemon import get

OFTEN = {"intervalMs": 2000, "vehicularIntervalMs": 2000}


def diagnostic(status):
    return get(status, "receiver.lastDiagnostic.text", "")


@case("Garbage when the port opens and a first command that is not heard: it is configured all the same (F-16)")
def garbage_on_open(bench):
    bench.receiver("ublox8", 10, faults="0 garbage-on-open 32\n")
    tracker = bench.tracker(scale=10, gnss=AUTO).start()
    tracker.wait_for(works, 20, "it is configured")


@case("A console on the line is named in the status, and fixes flow on (F-17)", seconds=6)
def console(bench):
    receiver = bench.receiver("ublox8", 10, faults="20 console\n25 console\n")
    tracker = bench.tracker(scale=10, gnss=AUTO).start()
    tracker.wait_for(works, 20, "it is configured")
    receiver.fault("console")
    seen = tracker.wait_for(lambda status: get(status, "receiver.consoleText"), 20, "the console is noticed")
    expect_remedy(tracker, seen, "serial-getty")
    fixes = get(seen, "receiver.fixes")
    seen = tracker.wait_for(lambda status: get(status, "receiver.fixes") >= fixes + 5, 20, "fixes flow on")
    tracker.expect(has_fix(seen), "a fix")


@case("Unplugged and back under another name: the same session goes on (F-19)", seconds=8)
def another_name(bench):
    receiver = bench.receiver("ublox8", 10, faults="30 unplug for 8\n")
    tracker = bench.tracker(scale=10, gnss=AUTO).start()
    before = tracker.wait_for(
        lambda status: works(status) and get(status, "queue.stored", 0) > 0, 20, "it is configured, and has a point")
    receiver.event("unplugged", 20)
    tracker.wait_for(lambda status: get(status, "receiver.open") is False and problem(status), 5, "the loss is told")
    back = receiver.event("plugged", 20)
    tracker.expect(back["device"] != receiver.ready["device"], "another name")
    after = tracker.wait_for(
        lambda status: works(status) and get(status, "receiver.fixes") > get(before, "receiver.fixes") + 20, 30,
        "fixes go on")
    tracker.expect(get(after, "session.id") == get(before, "session.id"), "the same session")
    tracker.expect(get(after, "queue.stored") >= get(before, "queue.stored"), "no point lost")


@case("A position that freezes while the receiver reports speed is named, and is no stop (F-20)", seconds=10)
def frozen(bench):
    receiver = bench.receiver("generic", 15, faults="100 freeze for 60\n", journey="motorway")
    tracker = bench.tracker(scale=15, gnss=AUTO, geolocation=OFTEN).start()
    receiver.fault("freeze")
    seen = tracker.wait_for(lambda status: diagnostic(status) == "gnss_position_frozen", 10, "the status names it")
    tracker.expect(get(seen, "motion.state") == "moving", "a vehicle that moves")


@case("A flood of sentences: late fixes are dropped and told, and fresh ones are taken again after it (E-008)", seconds=22)
def flood(bench):
    # A slow clock: a full buffer of a receiver is 4 s, and a machine's hiccup must stay below it.
    receiver = bench.receiver("generic", 2, faults="10 flood 10 for 12\n")
    tracker = bench.tracker(scale=2, gnss=AUTO).start()
    tracker.wait_for(has_fix, 10, "a fix")
    receiver.fault("flood")
    seen = tracker.wait_for(lambda status: get(status, "receiver.lateFixes", 0) > 0, 20, "late fixes are dropped")
    expect_remedy(tracker, seen, "rate")
    seen = tracker.wait_for(lambda status: not problem(status) and has_fix(status), 20, "the flood is over")
    fixes = get(seen, "receiver.fixes")
    tracker.wait_for(lambda status: get(status, "receiver.fixes") >= fixes + 3, 10, "fresh fixes are taken")


@case("Positions without a date for 40 s give no point, then points come with their own time (E-014)", seconds=10)
def blank_date(bench):
    server = bench.server()
    begin = bench.journey("urban-drive").truth[0][0]
    bench.receiver("generic", 10, faults="0 blank-date for 40\n")
    tracker = bench.tracker(scale=10, gnss=AUTO, geolocation=OFTEN, upload=bench.url(server.port)).start()
    dateless = tracker.wait_for(
        lambda status: get(status, "decisions.Time Unresolved", 0) >= 3, 20, "fixes without a date are judged")
    tracker.expect(get(dateless, "queue.stored") == 0 and has_fix(dateless), "a fix and no point")
    tracker.expect(get(dateless, "clock.trusted") is False, "a clock that is not trusted")
    tracker.wait_for(lambda status: get(status, "queue.stored", 0) >= 3, 20, "points are stored")
    tracker.wait_for(lambda _: len(server.points()) >= 3, 20, "points are received")
    times = [point["time"] for point in server.points()]
    tracker.expect(all(begin + 40_000 <= time < begin + 400_000 for time in times), f"their own time: {begin}, {times}")


def mock(bench, policy):
    link = bench.folder / f"{policy}-gnss"
    bench.receiver("generic", 10, link=link, faults="0 simulated\n")
    server = bench.server()
    tracker = bench.tracker(
        scale=10, name=policy, gnss={**AUTO, "device": link}, geolocation={**OFTEN, "mockLocationPolicy": policy},
        upload={**bench.url(server.port), "autoSyncCoalesceSec": 1})
    return tracker.start(), server


@case("Simulated fixes are refused with the policy reject, and marked with flag (E-018)", seconds=8)
def simulated(bench):
    rejecting, _ = mock(bench, "reject")
    flagging, server = mock(bench, "flag")
    seen = rejecting.wait_for(lambda status: get(status, "decisions.Mock Location", 0) >= 3, 20, "fixes are refused")
    rejecting.expect(get(seen, "queue.stored") == 0 and get(seen, "receiver.fixes") >= 3, "no point")
    flagging.wait_for(lambda _: server.points(), 20, "points come")
    flagging.expect(all(point["is_mock"] for point in server.points()), "marked points")


def conditions(bench, family):
    receiver = bench.receiver(
        family, 10, faults="30 spoofed 2 for 30\n60 jammed 230 for 40\n100 antenna-open for 30\n")
    tracker = bench.tracker(scale=10, gnss=AUTO, geolocation={"mockLocationPolicy": "reject"}).start()
    tracker.wait_for(works, 20, "it is configured")
    receiver.fault("spoofed")
    tracker.wait_for(lambda status: get(status, "receiver.health.spoofing") == 2, 10, "spoofing is in the status")
    tracker.wait_for(lambda status: get(status, "decisions.Mock Location", 0) > 0, 10, "spoofed fixes are refused")
    tracker.expect(diagnostic(tracker.last) == "gnss_spoofing", "a diagnostic")
    receiver.fault("jammed")
    calm = get(tracker.status(), "position.accuracyM")
    jammed = tracker.wait_for(
        lambda status: diagnostic(status) == "gnss_jamming" and get(status, "receiver.health.jamming") == 230, 10,
        "jamming is in the status")
    tracker.wait_for(lambda status: get(status, "position.accuracyM", 0) > 1.5 * calm, 5, "a wider radius")
    tracker.expect(get(jammed, "receiver.health.spoofing") in (0, 1), "the spoofing is over")
    receiver.fault("antenna-open")
    seen = tracker.wait_for(lambda status: get(status, "receiver.health.antenna") == "open", 10, "the antenna is open")
    tracker.expect("gnss_antenna: open" == diagnostic(seen), "a diagnostic")
    tracker.wait_for(lambda status: get(status, "receiver.state") == "noFix", 10, "no fix without an antenna")
    seen = tracker.wait_for(
        lambda status: get(status, "receiver.health.antenna") == "ok" and has_fix(status), 20, "all is well again")


@case("Spoofing, jamming and an open antenna of a u-blox 8 are in the status and are acted on (E-019, E-020, E-023)",
      seconds=16)
def conditions_ublox8(bench):
    conditions(bench, "ublox8")


@case("Spoofing, jamming and an open antenna of a u-blox 10 are in the status and are acted on (E-019, E-020, E-023)",
      seconds=16)
def conditions_ublox10(bench):
    conditions(bench, "ublox10")


@case("After a cold start the first point waits for 25 m (E-026)", seconds=8)
def cold_start(bench):
    server = bench.server()
    bench.receiver("ublox8", 10, journey="parked-night", start="cold")
    tracker = bench.tracker(
        scale=10, gnss=AUTO, geolocation=OFTEN, upload={**bench.url(server.port), "autoSyncCoalesceSec": 1})
    worst = []
    tracker.start()
    tracker.wait_for(
        lambda status: server.points(), 30, "the first point",
        each=lambda status: worst.append(get(status, "position.accuracyM", 0)))
    first = server.points()[0]
    tracker.expect(max(worst) > 25, f"a cold start whose first fixes are wide, not {max(worst)} m")
    tracker.expect(get(tracker.status(), "decisions.Init Held", 0) > 0, "wide fixes held")
    tracker.expect(first["accuracy"] <= 25, f"the first point within 25 m, not {first}")
