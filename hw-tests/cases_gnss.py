"""The receiver that can be talked to: its speed found, its family known and configured, and the operator's commands."""
import concurrent.futures
import json
import os
import re
import signal
import subprocess
import time

from bench import Bench
from case_list import case
from cases_receiver import has_fix
from daemon import get, milliseconds
from peers import GPSD, program
from process import Failed

SPEEDS = [4_800, 9_600, 38_400, 57_600, 115_200, 230_400, 460_800, 921_600]
STARTS_EACH = 20
FAMILIES = ["ublox8", "ublox10", "mtk", "quectel", "generic", "ublox6"]
AUTO = {"baud": "auto"}


def is_locked(status, baud):
    return (get(status, "receiver.open") is True and get(status, "receiver.searching") is False
            and get(status, "receiver.baud") == baud and not get(status, "receiver.problem"))


def is_configured(status):
    return get(status, "receiver.configured") == "yes"


def works(status):
    """A u-blox from generation 7 on is as it should be: configured, with a fix, in UBX."""
    return is_configured(status) and has_fix(status) and get(status, "receiver.protocol") == "ubx"


def start_once(bench, baud, number):
    """One receiver that already talks and one daemon that knows nothing; returns the daemon's age when it was locked."""
    with Bench(bench.place, bench.keep) as own:
        # A full epoch of most receivers is more than a second of 4 800 bit/s.
        family = "generic" if baud == 4_800 else FAMILIES[number % len(FAMILIES)]
        start = ["hot", "warm", "cold"][number % 3]
        own.receiver(family, 30, start=start, baud=baud, seed=1000 * number + 1, start_after=0)
        tracker = own.tracker(scale=30, gnss=AUTO).start(wait=False)
        seen = tracker.wait_for(lambda status: is_locked(status, baud), 20, f"a {family} is found at {baud}")
        return get(seen, "service.uptimeSec")


@case("The speed is found: 20 of 20 starts at each of eight speeds", seconds=25)
def starts_lock(bench):
    ages = []
    for baud in SPEEDS:
        # A pool's threads outlive the processes that they start.
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            found = list(pool.map(lambda number: start_once(bench, baud, number), range(STARTS_EACH)))
        print(f"    {len(found)} of {STARTS_EACH} starts lock at {baud}, the slowest seen after {max(found)} s", flush=True)
        if sorted(found)[STARTS_EACH // 2] > 20:
            raise Failed(f"found at {baud} in one sweep, not after {sorted(found)} s")
        ages += found
    print(f"    {len(ages)} of {len(SPEEDS) * STARTS_EACH} starts lock", flush=True)


def follows_reset(bench, family):
    speed = 5
    receiver = bench.receiver(family, speed, baud=115_200, faults="30 restart 9600\n")
    tracker = bench.tracker(scale=speed, gnss=AUTO).start()
    tracker.wait_for(lambda status: is_locked(status, 115_200) and has_fix(status), 5, "a fix at 115200")
    receiver.fault("restart")
    begun = milliseconds(get(tracker.status(), "clock.utc"))
    seen = tracker.wait_for(lambda status: is_locked(status, 9_600) and has_fix(status), 30, "a fix at 9600")
    after = (milliseconds(get(seen, "clock.utc")) - begun) / 1000
    tracker.expect(after <= 10, f"found at 9600 within 10 s, not {after:.1f} s")
    return tracker


@case("A u-blox that is reset to 9600 while it runs is found within 10 s, and configured again (E-005)", seconds=14)
def ublox_reset(bench):
    tracker = follows_reset(bench, "ublox8")
    tracker.wait_for(
        lambda status: is_configured(status) and get(status, "receiver.protocol") == "ubx", 20, "NAV-PVT again")


@case("A receiver of no known family that is reset to 9600 while it runs is found within 10 s (E-005)", seconds=10)
def generic_reset(bench):
    follows_reset(bench, "generic")


def known(bench, name, family, protocol, model=None, firmware=None):
    bench.receiver(name, 20)
    tracker = bench.tracker(scale=20, gnss=AUTO).start()
    wanted = "no: a receiver of a family" if family == "generic" else "yes"
    seen = tracker.wait_for(
        lambda status: get(status, "receiver.configured", "").startswith(wanted) and has_fix(status), 30,
        "it is known and has a fix")
    tracker.expect(get(seen, "receiver.family") == family, f"family {family}")
    for key, value in (("model", model), ("firmware", firmware)):
        tracker.expect(value is None or value in get(seen, f"receiver.{key}", ""), f"{key} {value}")
    before = get(seen, "receiver.fixes")
    seen = tracker.wait_for(
        lambda status: get(status, "receiver.protocol") == protocol and get(status, "receiver.fixes", 0) >= before + 20,
        20, f"twenty fixes more, in {protocol}")
    frames = get(seen, "receiver.ubxFrames")
    if protocol == "ubx":
        tracker.expect(frames >= get(seen, "receiver.fixes") - before - 5, "a NAV-PVT for each fix")
    elif family != "ublox":
        tracker.expect(frames == 0, "not one UBX frame")
    tracker.expect(not get(seen, "receiver.problem"), "no problem")


@case("A u-blox 8 is known, and gives its fixes as NAV-PVT", seconds=5)
def ublox8(bench):
    known(bench, "ublox8", "ublox", "ubx", firmware="SPG 3.01")


@case("A u-blox 10 is known, and gives its fixes as NAV-PVT", seconds=5)
def ublox10(bench):
    known(bench, "ublox10", "ublox", "ubx", firmware="SPG 5.10")


@case("A u-blox 6, which has no NAV-PVT, is known and gives its fixes as sentences", seconds=5)
def ublox6(bench):
    known(bench, "ublox6", "ublox", "nmea")


@case("A MediaTek is known and configured", seconds=5)
def mediatek(bench):
    known(bench, "mtk", "mtk", "nmea")


@case("A Quectel is known and configured", seconds=5)
def quectel(bench):
    known(bench, "quectel", "quectel", "nmea")


@case("A receiver that takes no commands is used as it is", seconds=5)
def generic(bench):
    known(bench, "generic", "generic", "nmea")


@case("A receiver that lost its power and forgot everything is configured again, after 5 s and after 40 s", seconds=14)
def power_lost(bench):
    speed = 10
    receiver = bench.receiver("ublox8", speed)
    tracker = bench.tracker(scale=speed, gnss=AUTO).start()
    seen = tracker.wait_for(works, 20, "it is configured")
    session = get(seen, "session.id")
    for seconds in (5, 40):
        receiver.power(False)
        time.sleep(seconds / speed)
        frames = get(tracker.status(), "receiver.ubxFrames")
        receiver.power(True)
        seen = tracker.wait_for(
            lambda status: works(status) and get(status, "receiver.ubxFrames") >= frames + 10, 30,
            f"it is configured again after {seconds} s without power")
        reason = get(seen, "receiver.lastDiagnostic.text", "")
        tracker.expect(reason.startswith("receiver_reconfigured"), "the status says that it was configured again")
    tracker.expect(get(seen, "session.id") == session, "the same session")


@case("A receiver told to go faster is found at that speed first by the next daemon (F-13)", seconds=10)
def last_good_first(bench):
    speed = 10
    bench.receiver("ublox8", speed)
    tracker = bench.tracker(scale=speed, gnss={"baud": "auto", "rateHz": 10}).start()
    tracker.wait_for(
        lambda status: is_locked(status, 115_200) and is_configured(status) and has_fix(status), 20, "10 Hz at 115200")
    tracker.stop()
    speeds = set()
    tracker.start(wait=False)
    seen = tracker.wait_for(
        lambda status: has_fix(status), 20, "a fix again", each=lambda status: speeds.add(get(status, "receiver.baud")))
    tracker.expect(speeds == {115_200}, f"the last good speed first, not {speeds}")
    tracker.expect(get(seen, "service.uptimeSec") <= 10, "a fix at once")


def intact_frames(data):
    """Frames with a right checksum, counted without the tracker's help: sentences and UBX frames."""
    count, at = [0, 0], 0
    while at < len(data):
        length = 0
        if data[at] == 0x24:
            found = re.match(rb"\$([\x20-\x23\x25-\x29\x2b-\x7e]{1,118})\*([0-9A-F]{2})\r?\n?", data[at:at + 130])
            if found:
                checksum = 0
                for byte in found[1]:
                    checksum ^= byte
                length = found.end() if checksum == int(found[2], 16) else 0
                count[0] += length > 0
        elif data[at:at + 2] == b"\xb5\x62" and len(data) >= at + 8:
            size = int.from_bytes(data[at + 4:at + 6], "little")
            a = b = 0
            for byte in data[at + 2:at + 6 + size] if size <= 1024 else b"":
                a = (a + byte) & 255
                b = (b + a) & 255
            if size <= 1024 and data[at + 6 + size:at + 8 + size] == bytes([a, b]):
                length = size + 8
                count[1] += 1
        at += max(1, length)
    return count


@case("One byte lost in 10 kB of a mixed stream: over 99.9 % of the intact frames are kept, and none is false", seconds=20)
def lost_bytes(bench):
    # A slow clock: a frame whose end does not come for 300 ms is given up, and a machine's hiccup is no lost byte.
    speed = 3
    receiver = bench.receiver("ublox8", speed, baud=921_600, faults="6 lose 10000\n6 flood 10\n")
    tracker = bench.tracker(scale=speed, gnss={"baud": 921_600, "rawLogMB": 100}).start()
    tracker.wait_for(works, 20, "NAV-PVT beside sentences")
    total = lambda status: get(status, "receiver.sentences", 0) + get(status, "receiver.ubxFrames", 0)
    tracker.wait_for(lambda status: total(status) >= 9_000, 60, "9000 frames")
    receiver.toggle_silence()
    receiver.event("silence", 5)
    time.sleep(0.3)
    seen = tracker.status()
    tracker.stop()
    sent = receiver.end()
    files = sorted(name for name in os.listdir(tracker.state) if name.endswith(".raw"))
    sentences, frames = intact_frames(b"".join(open(f"{tracker.state}/{name}", "rb").read() for name in files))
    kept = (get(seen, "receiver.sentences"), get(seen, "receiver.ubxFrames"))
    what = f"{sentences} sentences and {frames} UBX frames intact, {kept} kept, {sent}"
    tracker.expect(sent["damagedBytes"] >= 40 and sent["lostBytes"] == 0 and sent["garbledBytes"] == 0, what)
    tracker.expect(frames > 200 and sentences > 1000, f"a mixed stream: {what}")
    tracker.expect(sent["sentFrames"] - sent["damagedBytes"] <= sentences + frames <= sent["sentFrames"], what)
    tracker.expect(sum(kept) > 0.999 * (sentences + frames), f"over 99.9 % kept: {what}")
    tracker.expect(kept[0] <= sentences and kept[1] <= frames, f"no false frame: {what}")
    print(f"    {sum(kept)} ({kept[1]} UBX) of {sentences + frames} intact frames kept; {sent['sentFrames']} sent, "
          f"{sent['damagedBytes']} bytes lost", flush=True)


def gnss(tracker, *words):
    return tracker.cli("gnss", *words, "--socket", tracker.socket)


@case("device-cli gnss shows status and sky, gives the bytes, and restarts the receiver", seconds=12)
def operator(bench):
    speed = 10
    bench.receiver("ublox8", speed)
    tracker = bench.tracker(scale=speed, gnss=AUTO).start()
    seen = tracker.wait_for(works, 20, "it is configured")
    tracker.wait_for(lambda _: gnss(tracker, "sky").returncode == 0, 10, "there is a sky")
    sky = gnss(tracker, "sky").stdout.splitlines()
    tracker.expect(sum("█" in line for line in sky) >= 4, f"four bars: {sky}")
    tracker.expect(sky[0].strip() == "N" or "N" in sky[0], f"north above: {sky}")
    tracker.expect(len([line for line in sky if "·" in line]) >= 10, f"a plot: {sky}")
    page = gnss(tracker, "status").stdout
    tracker.expect("ublox" in page and "115200" not in page and "9600" in page, f"the receiver's facts: {page}")

    raw = subprocess.Popen(tracker.place.command([tracker.place.device_cli, "gnss", "raw", "--follow", "--socket",
                                                  tracker.socket]), stdout=subprocess.PIPE)
    head = raw.stdout.read(6_000)
    raw.stdout.close()
    tracker.expect(raw.wait(10) in (0, -signal.SIGPIPE), "an end with its reader")
    decoded = subprocess.run([tracker.place.tracker, "decode", "-"], input=head, capture_output=True, timeout=20, check=True)
    lines = [json.loads(line) for line in decoded.stdout.splitlines()]
    tracker.expect(sum("lat" in line or "latitude" in line for line in lines) >= 3, f"positions in the bytes: {lines[:3]}")

    fixes = get(seen, "receiver.fixes")
    reset = gnss(tracker, "reset", "cold")
    tracker.expect(reset.returncode == 0 and "cold" in reset.stdout, f"told to start cold: {reset}")
    tracker.wait_for(lambda status: not has_fix(status), 10, "it loses its fix")
    seen = tracker.wait_for(has_fix, 30, "it has its fix again")
    tracker.expect(get(seen, "receiver.fixes") > fixes, "new fixes")
    refused = gnss(tracker, "reset", "tepid")
    tracker.expect(refused.returncode == 1 and "hot, warm, cold" in refused.stderr, f"a refusal: {refused}")


@case("device-cli gnss calibrate gives the scale of a parked night", seconds=5)
def calibrate(bench):
    journey = bench.journey("parked-night")
    tracker = bench.tracker()
    point = ",".join(map(str, journey.truth[0][1:3]))
    answer = tracker.cli("gnss", "calibrate", "--point", point, journey.log)
    found = re.search(r"68 % are inside ([0-9.]+) × radius", answer.stdout)
    tracker.expect(answer.returncode == 0 and found, f"a scale: {answer}")
    tracker.expect(0.3 < float(found[1]) < 3, f"a scale near 1: {answer.stdout}")


@case("UBX comes through gpsd too", seconds=15)
def through_gpsd(bench):
    program("gpsd", bench)
    speed = 2
    bench.receiver("ublox8", speed)
    with GPSD(bench, bench.link) as gpsd:
        gpsd.wait_for_data()
        tracker = bench.tracker(scale=speed, gnss={"device": gpsd.url}).start()
        seen = tracker.wait_for(
            lambda status: has_fix(status) and get(status, "receiver.ubxFrames", 0) >= 10, 40, "fixes, and UBX frames")
        tracker.expect(get(seen, "receiver.protocol") == "ubx", "UBX in use")
        tracker.expect(not get(seen, "receiver.problem"), "no problem")
