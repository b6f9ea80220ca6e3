"""The receiver behind a real gpsd."""
import datetime
import os
import pathlib

from bench import ROOT
from case_list import case
from cases_receiver import Feeder, expect_remedy, has_fix, problem
from daemon import get
from line import Line, epoch
from peers import GPSD, program
from process import Skipped

SPEED = 10


def degrees(text, half):
    """`4703.0288,N` as degrees: the last two digits before the point are minutes."""
    whole, minutes = text[:text.index(".") - 2], text[text.index(".") - 2:]
    value = int(whole) + float(minutes) / 60
    return -value if half in "SW" else value


def positions(log):
    """The position of each second of a recorded log, by its UTC in milliseconds."""
    found = {}
    for line in pathlib.Path(log).read_text(errors="replace").splitlines():
        fields = line.split(",")
        if fields[0][3:] == "RMC" and fields[2] == "A":
            clock = datetime.datetime.strptime(fields[9] + fields[1][:6], "%d%m%y%H%M%S")
            millis = round(clock.replace(tzinfo=datetime.timezone.utc).timestamp() * 1000)
            found[millis] = (degrees(fields[3], fields[4]), degrees(fields[5], fields[6]))
    return found


@case("Through gpsd the same fixes arrive as from the port itself, and become the same points", seconds=50)
def same_fixes(bench):
    program("gpsd", bench)
    journey = bench.journey("urban-drive")
    truth = positions(journey.log)
    shared = bench.folder / "shared-gnss"
    servers = [bench.server(), bench.server()]
    often = {"intervalMs": 2000, "vehicularIntervalMs": 2000}
    bench.uart(journey.log, SPEED, link=shared)
    with GPSD(bench, shared) as gpsd:
        gpsd.wait_for_data()
        bench.uart(journey.log, SPEED)
        direct = bench.tracker(scale=SPEED, upload=bench.url(servers[0].port), geolocation=often).start()
        behind = bench.tracker(scale=SPEED, name="behind", gnss={"device": gpsd.url},
                               upload=bench.url(servers[1].port), geolocation=often).start()
        for tracker in (direct, behind):
            tracker.wait_for(has_fix, 30, "the receiver has a fix")
        begun = [get(tracker.status(), "receiver.fixes") for tracker in (direct, behind)]
        behind.wait_for(lambda status: get(status, "queue.stored", 0) >= 30, 60, "30 points are stored")
        heard = [get(tracker.status(), "receiver.fixes") - start for tracker, start in zip((direct, behind), begun)]
        behind.expect(abs(heard[1] / heard[0] - 1) < 0.1, f"as many fixes as from the port: {heard[1]} of {heard[0]}")
        seen = behind.status()
        behind.expect(get(seen, "receiver.garbageBytes") == 0 and get(seen, "receiver.badChecksums") == 0,
                      "nothing between the sentences")
        behind.expect(get(seen, "receiver.device") == gpsd.url, "the device named as configured")
        behind.drain()
    points = [{point["time"]: (point["latitude"], point["longitude"]) for point in server.points()}
              for server in servers]
    for time, place in points[1].items():
        behind.expect(time in truth, f"a point of an epoch of the log, not of {time}")
        behind.expect(max(abs(a - b) for a, b in zip(place, truth[time])) < 1e-6, f"{place} to be {truth[time]}")
    behind.expect(len(points[1]) >= 30, f"30 points received, not {len(points[1])}")
    common = points[0].keys() & points[1].keys()
    behind.expect(all(points[0][time] == points[1][time] for time in common), "points like those from the port")


@case("Without a gpsd the daemon says how to start it, and takes the receiver when it is there", seconds=15)
def late_gpsd(bench):
    program("gpsd", bench)
    line = Line(bench.link)
    with Feeder(line, epoch):
        with GPSD(bench, bench.link) as first:
            port = first.port
        tracker = bench.tracker(scale=5, gnss={"device": f"gpsd://localhost:{port}"}).start()
        seen = tracker.wait_for(problem, 20, "the problem is told")
        expect_remedy(tracker, seen, "gpsd.socket")
        with GPSD(bench, bench.link, port=port) as second:
            tracker.wait_for(has_fix, 40, "the receiver has a fix")
            second.stop()
            seen = tracker.wait_for(problem, 20, "the loss is told")
            expect_remedy(tracker, seen, "gpsd")
        with GPSD(bench, bench.link, port=port):
            found = tracker.wait_for(has_fix, 40, "the receiver has a fix again")
            tracker.expect(not problem(found), "no problem any more")


@case("A gpsd without a receiver is named, with how to give it one")
def gpsd_without_receiver(bench):
    with GPSD(bench) as gpsd:
        tracker = bench.tracker(scale=5, gnss={"device": gpsd.url}).start()
        seen = tracker.wait_for(problem, 20, "the problem is told")
        expect_remedy(tracker, seen, "gpsdctl")


@case("A receiver that speaks only SiRF binary gives fixes through gpsd's own NMEA", seconds=30)
def foreign_binary(bench):
    shared = pathlib.Path(os.environ.get("TRACKER_SHARED", ROOT.parent / "shared"))
    log = shared / "data/foreign-binary/bu303-moving.log"
    if not log.exists():
        raise Skipped("no shared data")
    program("gpsd", bench)
    line = Line(bench.link)
    data = log.read_bytes()
    data = data[data.index(b"\xa0\xa2"):]

    def part(second):
        # 600 bytes a second, over and over.
        start = second * 600 % len(data)
        return data[start:start + 600]

    with Feeder(line, part), GPSD(bench, bench.link) as gpsd:
        gpsd.wait_for_data()
        tracker = bench.tracker(scale=1, gnss={"device": gpsd.url}).start()
        seen = tracker.wait_for(lambda status: get(status, "receiver.fixes", 0) > 3, 60, "there are fixes")
        tracker.expect(not get(seen, "receiver.problem"), "no problem")


@case("An address that is no gpsd's is refused by config check")
def bad_address(bench):
    for device in ("gpsd://", "gpsd://host:0", "gpsd:///dev/ttyS0"):
        tracker = bench.tracker(gnss={"device": device})
        check = tracker.cli("config", "check", tracker.config)
        tracker.expect(check.returncode == 1 and "gpsd://host[:port]" in check.stdout + check.stderr,
                       f"{device} refused, not: {check.stdout}{check.stderr}")
