"""Recordings through the program itself: the same decisions at every speed, and the errors people see."""
import json
import re
import time

from case_list import case


def drive(path, seconds, torn=False):
    """Writes a drive to the north with a fix a second."""
    with open(path, "w") as file:
        for second in range(seconds):
            line = {"acc": 4, "course": 0, "lat": round(46 + second * 12 / 111_200, 9), "lon": 7, "speed": 12,
                    "t": 1_777_878_000 + second, "u": 100 + second}
            file.write(json.dumps(line) + "\n")
        if torn:
            file.write('{"acc":4,"lat":46.')


@case("A recording replayed at a thousand times its speed takes its time and gives the bytes of a replay without waiting",
      seconds=5)
def replay_paced(bench):
    tracker = bench.tracker()
    recording = f"{tracker.folder}/drive.jsonl"
    drive(recording, 2_000, torn=True)
    outputs = {}
    for speed in ["max", "1000"]:
        csv = f"{tracker.folder}/{speed}.csv"
        begun = time.monotonic()
        run = tracker.cli("replay", recording, "--csv", csv, "--speed", speed, "--json")
        tracker.expect(run.returncode == 0, f"exit 0 at {speed}, not {run.returncode}: {run.stderr}")
        tracker.expect(json.loads(run.stdout)["fixes"] == 2_000, f"every whole line is a fix: {run.stdout}")
        outputs[speed] = (open(csv, "rb").read(), time.monotonic() - begun)
    tracker.expect(outputs["max"][0] == outputs["1000"][0], "the same decisions at every speed")
    tracker.expect(outputs["max"][0].count(b"\n") > 100, "a row for every decision")
    tracker.expect(outputs["1000"][1] >= 1.99, f"1999 s at a thousand times take 2 s, not {outputs['1000'][1]:.2f} s")


@case("A decision is explained in plain words, and a damaged line is named by its number", seconds=2)
def replay_explained(bench):
    tracker = bench.tracker()
    recording = f"{tracker.folder}/drive.jsonl"
    drive(recording, 60)
    run = tracker.cli("replay", recording, "--explain", "2")
    tracker.expect(run.returncode == 0 and run.stdout.startswith("fix 2 of 2026-05-04T07:00:"), f"words, not {run.stdout}")
    run = tracker.cli("replay", recording, "--explain", "99")
    tracker.expect(run.returncode == 1 and "there is no decision 99" in run.stderr, f"refused, not {run.stderr}")
    with open(recording, "a") as file:
        file.write('{"lat":\n{"lat":46,"lon":7,"u":200}\n')
    run = tracker.cli("replay", recording)
    tracker.expect(run.returncode == 1 and "line 61" in run.stderr, f"the line's number, not {run.stderr}")


@case("The index of times beside a receiver's log is the clock of its replay and decoding, and a damaged one is refused",
      seconds=2)
def replay_indexed(bench):
    tracker = bench.tracker()
    log = f"{tracker.folder}/walk.nmea"
    with open(bench.journey("walk").log, "rb") as source:
        content = source.read(60_000)
    with open(log, "wb") as file:
        file.write(content)
    with open(log + ".idx", "w") as file:
        for number, match in enumerate(re.finditer(rb"\$..RMC", content)):
            file.write(f"{match.start()} {(5_000 + number) * 10**9}\n")
    run = tracker.cli("replay", log, "--csv", "-")
    rows = run.stdout.splitlines()
    tracker.expect(run.returncode == 0 and len(rows) > 1, f"decisions, not {run.stdout} {run.stderr}")
    tracker.expect(all(int(row.split(",")[2]) >= 5_000 * 10**9 for row in rows[1:]), f"times of the index, not {rows[1]}")
    with open(log + ".idx", "a") as file:
        file.write("1 1\n")
    for command in ["replay", "decode"]:
        run = tracker.cli(command, log)
        tracker.expect(run.returncode == 1 and "walk.nmea.idx, line" in run.stderr, f"refused, not {run.stderr}")
