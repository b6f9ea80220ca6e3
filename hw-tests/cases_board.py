"""Whole boards: what a stationary day costs, and how a battery's life ends and begins again."""
import json
import pathlib
import time
import uuid

from case_list import case
from daemon import MOST_WAKE_UPS, get
from process import Failed, spawn
from shimmed import build

BOOT_SHIM = pathlib.Path(__file__).resolve().parent / "bootshim.c"


@case("A stationary day: one point, the receiver on for less than 3 %, no wake-up and no upload too many", seconds=300)
def stationary_day(bench):
    speed, hours = 300, 24
    board = bench.board("journey parked-night 1\nreceiver ublox8 hot\nbattery 60000 95\n", speed)
    # A second of this machine is five minutes of it: a hiccup would be the end of a request, and of a talk with the
    # receiver, whose supply is switched instead.
    tracker = bench.tracker_of(
        board, without=("powerControl",), gnss={"powerControl": "gpio"},
        upload={"totalTimeoutSec": 3600, "connectTimeoutSec": 300}).start()
    begun = time.monotonic()
    tracker.wait_for(lambda status: get(status, "queue.stored") == 1, 60, "the first point is stored")
    while time.monotonic() - begun < hours * 3600 / speed:
        # Asking wakes it, too.
        time.sleep(20)
        seen = tracker.status()
        tracker.expect(seen and get(seen, "queue.stored") == 1, "one point")
    power = json.loads(tracker.cli("power", "--json", "--socket", tracker.socket).stdout)
    days = [power["today"], *power["past"]]
    wakes, seconds = sum(day["wakeUps"] for day in days), sum(day["seconds"] for day in days)
    last = tracker.status()
    tracker.expect(get(last, "motion.state") in ("stationary", "stopped"), "it stands")
    # The point, and the same once more when it is known to be a significant stop.
    sent = board.summary()
    tracker.expect(sent["uuids"] == 1 and sent["requests"] <= 2, f"no upload too many: {sent}")
    tracker.expect(tracker.stop() == 0, "a clean end")
    counts = board.end()
    awake, lived = counts["receiverOnMs"] / 1000, counts["atMs"] / 1000
    tracker.expect(lived > 0.99 * hours * 3600, f"a day: {counts}")
    tracker.expect(awake < 0.03 * lived, f"the receiver was on for {100 * awake / lived:.2f} %")
    print(f"stationary day: receiver on for {100 * awake / lived:.2f} %, {wakes * 3600 / seconds:.0f} wake-ups an hour, "
          f"{sent['requests']} uploads", flush=True)
    most = (MOST_WAKE_UPS["stationary, interrupt"] * seconds + MOST_WAKE_UPS["moving"] * awake) / 3600
    tracker.expect(wakes <= most, f"{wakes} wake-ups in {seconds} s, {awake:.0f} s of them with the receiver; at most {most:.0f}")


class Supervised:
    """A daemon on a board: it dies where the supply is cut, and starts with a boot of its own when it is there again."""

    def __init__(self, bench, board, **options):
        self.board = board
        self.tracker = bench.tracker_of(board, **options)
        self.shim, self.boot_id = build(bench.folder, BOOT_SHIM), bench.folder / "boot_id"
        self.boots = 0

    def boot(self):
        self.boot_id.write_text(f"{uuid.uuid4()}\n")
        self.boots += 1
        self.tracker.start(under=["env", f"LD_PRELOAD={self.shim}", f"BOOT_ID={self.boot_id}"])

    def wait_power(self, wanted, timeout, count):
        """Until the supply has been so for the count-th time."""
        end = time.monotonic() + timeout
        while time.monotonic() < end:
            if sum(e["event"] == "power" and e["state"] == wanted for e in list(self.board.events)) >= count:
                return
            time.sleep(0.02)
        raise Failed(f"the supply was not {wanted} {count} times in {timeout} s: {self.board.events[-5:]}\n{self.tracker.seen()}")


@case("A battery's life: discharged to 3 % it ends in order, and with the sun it goes on in the same session", seconds=90)
def battery_life(bench):
    board = bench.board(
        "journey motorway 1\nreceiver ublox8 hot\nbattery 3000 7\n"
        # A quarter of an hour until it is empty, night until minute 40, sun.
        "drain 0 2400\ncharge 3000 36000\n", 30)
    life = Supervised(bench, board)
    tracker = life.tracker
    life.boot()
    heard = bench.folder / "events"
    with open(heard, "wb") as out:
        events = spawn([tracker.place.device_cli, "events", "--socket", tracker.socket], tracker.log, stdout=out)
    tracker.wait_for(lambda status: get(status, "queue.stored", 0) > 3, 60, "points are stored")
    session = get(tracker.last, "session.id")
    for tier in ("critical", "survival", "shutdown"):
        tracker.wait_for(lambda status: get(status, "power.tier") == tier, 60, f"the tier is {tier}")
    ending = tracker.wait_for(lambda status: get(status, "power.ending"), 30, "the end is near")
    tracker.expect(get(ending, "receiver.state") == "off", "the receiver is off")
    end = time.monotonic() + 20
    while "host_stays_on" not in heard.read_text() and time.monotonic() < end:
        time.sleep(0.1)
    # On a simulated board nothing is switched off: it says that it would have been.
    tracker.expect("host_stays_on" in heard.read_text(), f"the host is asked to go off: {heard.read_text()[-500:]}")
    tracker.expect("battery exhausted" in heard.read_text(), "the end is told")
    tracker.expect(tracker.stop() == 0, "a clean end")
    events.wait(10)
    board.switch_host(False)
    life.wait_power("off", 10, 1)
    life.wait_power("on", 120, 1)
    board.switch_host(True)
    life.boot()
    back = tracker.wait_for(
        lambda status: get(status, "receiver.state") == "fix3D" and not get(status, "power.gate"), 120, "it is back")
    tracker.expect(get(back, "session.id") == session and get(back, "session.resumed") is True, "the same session")
    tracker.wait_for(lambda status: get(status, "power.tier") == "normal", 120, "the tier is normal")
    last = tracker.drain(120)
    tracker.expect(get(last, "queue.pending") == 0, "everything was sent")
    tracker.expect(board.end()["cuts"] == 0, "the supply was never cut")


@case("A modem that cuts the supply off at each boot: the fourth waits ten minutes, and then all goes on (F-65)", seconds=90)
def brown_out(bench):
    board = bench.board(
        "journey parked-night 1\nreceiver ublox8 hot\nmodem 18\nbattery 3000 4.6\ndrain 0 600\ncharge 3000 36000\n", 20, server=False)
    # Without its gauge it cannot know. The server is far away, and the only way there a modem.
    away = {"url": "http://192.0.2.1/points", "allowCleartext": True}
    life = Supervised(bench, board, without=("gauge", "gaugeBus"), upload=away, link={"interface": "wwan9"})
    tracker = life.tracker
    for cut in range(1, 4):
        life.boot()
        tracker.wait_for(lambda status: get(status, "queue.stored", 0) > 0, 60, "there is a point")
        tracker.expect(not get(tracker.last, "power.gate"), "the gate is open")
        tracker.cli("sync", "now", "--socket", tracker.socket)
        life.wait_power("cut", 60, cut)
        tracker.kill()
        life.wait_power("on", 60, cut)
    life.boot()
    held = tracker.wait_for(lambda status: get(status, "power.gate"), 20, "the gate is shut")
    tracker.expect("3 boots were cut short" in get(held, "power.gate"), "it says why")
    tracker.expect(get(held, "receiver.state") == "off" and get(held, "receiver.open") is False, "no receiver")
    refused = tracker.cli("sync", "now", "--socket", tracker.socket)
    tracker.expect(refused.returncode == 1 and "3 boots were cut short" in refused.stdout, f"no modem: {refused}")
    boots = sum(e["event"] == "life" for e in board.events)
    tracker.wait_for(lambda status: get(status, "receiver.state") == "fix3D", 120, "the receiver comes back")
    tracker.expect(sum(e["event"] == "life" for e in board.events) == boots, "no modem before the receiver")
    end = time.monotonic() + 60
    while sum(e["event"] == "life" for e in list(board.events)) == boots and time.monotonic() < end:
        tracker.cli("sync", "now", "--socket", tracker.socket)
        time.sleep(1)
    tracker.expect(sum(e["event"] == "life" for e in board.events) > boots, "the modem follows")
    tracker.expect(tracker.stop() == 0, "a clean end")
    supply = [event for event in board.events if event["event"] in ("power", "life")]
    tracker.expect(board.end()["cuts"] == 3, f"the supply was cut three times: {supply}")


@case("A-23: a day with two drives takes less than 3 % of a core, 60 MiB and 15 MB written", seconds=170)
def load(bench):
    """Two hours parked, a quarter of an hour's drive, parked again, at sixty times real speed. Of a day with two such
    drives it is the sum, and what a new database costs. Diagnostics are off, everything else is as it comes."""
    day, settling, parked = 86_400, 600, 6_600
    board = bench.board("journey park-drive-park 1\nreceiver ublox8 hot\nbattery 60000 95\n", 60)
    tracker = bench.tracker_of(
        board, persistence={"persistRawFixes": False, "persistRawPoints": False, "persistDecisions": False}).start()
    started = time.monotonic()
    time.sleep(settling / 60)
    made = written(tracker.status())
    time.sleep(max(0, parked / 60 - (time.monotonic() - started)))
    before = written(tracker.status())
    board.event("finished", 120, of="receiver")
    last = tracker.drain(30)
    tracker.expect(get(last, "session.distanceM", 0) > 4_000, "it drove")
    today = json.loads(tracker.cli("power", "--json", "--socket", tracker.socket).stdout)["today"]
    share, memory = 100 * today["cpuMs"] / 1000 / today["seconds"], tracker.peak_rss_kib() / 1024
    whole = written(last)
    driving, seconds = whole[0] - before[0], whole[1] - before[1]
    at_rest = (before[0] - made[0]) / (before[1] - made[1]) * (day - 2 * seconds)
    total = (made[0] + at_rest + 2 * driving) / 1e6
    print(f"A-23: {share:.2f} % of a core, {memory:.0f} MiB, {total:.1f} MB a day: made {made[0] / 1e6:.2f} MB, parked "
          f"{at_rest / 1e6:.1f} MB, with a drive {driving / 1e6:.2f} MB in {seconds} s", flush=True)
    tracker.expect(share < 3, f"less than 3 % of a core, not {share:.2f}")
    tracker.expect(memory < 60, f"less than 60 MiB, not {memory:.0f}")
    tracker.expect(total < 15, f"less than 15 MB a day, not {total:.1f}")


def written(status):
    """Bytes of the store since the start, and seconds since then."""
    return get(status, "storage.written.bytes"), get(status, "service.uptimeSec")
