"""Recordings through the program itself: the same decisions at every speed, and the errors people see."""
import json
import os
import re
import signal
import subprocess
import time

from case_list import case
from daemon import get


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
    tracker.expect(run.returncode == 0 and run.stdout.startswith("decision 2 of 2026-05-04T07:00:"), f"words, not {run.stdout}")
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
    os.remove(log + ".idx")
    os.mkdir(log + ".idx")
    for command in ["replay", "decode"]:
        run = tracker.cli(command, log)
        tracker.expect(run.returncode == 1 and "walk.nmea.idx" in run.stderr, f"no times guessed, not {run.stderr}")


def outcomes(text):
    """Verdict and reason of each decision."""
    return [(row["verdict"], row["reason"]) for row in map(json.loads, text.splitlines())]


@case("A recording of the running daemon, replayed, gives what the daemon decided; so does its exported fixture",
      seconds=40)
def record_and_replay(bench):
    journey = bench.journey("urban-drive")
    tracker = bench.tracker(scale=10, accel={"bus": f"unix:{bench.bus}"},
                            persistence={"persistRawFixes": True}).start()
    files = {name: f"{tracker.folder}/drive.{name}" for name in ["jsonl", "motion", "nmea"]}
    words = [tracker.place.device_cli, "record", "--socket", tracker.socket, "--out", files["jsonl"],
             "--motion", files["motion"], "--raw", files["nmea"]]
    # The recorder first: it hears everything that the daemon hears.
    recorder = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    time.sleep(1)
    bench.uart(journey.log, 10)
    bench.accel(journey.motion, 10)
    tracker.wait_for(lambda status: get(status, "session.points", 0) >= 5, 60, "five points")
    recorder.send_signal(signal.SIGINT)
    summary, complaint = recorder.communicate(timeout=10)
    decided = tracker.cli("decisions", "--json", "--limit", "5000", "--socket", tracker.socket)
    tracker.expect(recorder.returncode == 0 and summary.startswith("recorded "), f"a summary, not {summary} {complaint}")
    live = outcomes(decided.stdout)[::-1]
    replayed = tracker.cli("replay", files["jsonl"], "--motion", files["motion"], "--decisions", "-")
    seen = outcomes(replayed.stdout)
    # The daemon went on for a moment after the recorder had ended; and at ten times the pace the last fixes may be due
    # a moment sooner in one than in the other.
    both = min(len(seen), len(live))
    tracker.expect(both >= 5 and live[:both] == seen[:both], f"the same decisions: {seen}, not {live}")
    raw = tracker.cli("replay", files["nmea"], "--json")
    tracker.expect(json.loads(raw.stdout)["fixes"] > 20, f"the bytes are a recording too: {raw.stdout} {raw.stderr}")
    again = tracker.cli("record", "--socket", tracker.socket, "--out", files["jsonl"])
    tracker.expect(again.returncode == 1 and "is there already" in again.stderr, f"refused, not {again.stderr}")

    exported = tracker.cli("fixture", "--name", "drive", "--socket", tracker.socket)
    fixture = json.loads(exported.stdout)
    fixture["expected"] = [{"i": 0, "verdict": "ACCEPT", "reason": "Init"}, {"i": 1, "verdict": "SKIP", "reason": "Init"}]
    with open(f"{tracker.folder}/fixture.json", "w") as file:
        json.dump(fixture, file, indent=1)
    run = tracker.cli("replay", f"{tracker.folder}/fixture.json", "--decisions", "-")
    tracker.expect(run.returncode == 1 and "fix 1: expected SKIP Init" in run.stderr, f"a mismatch, not {run.stderr}")
    seen = outcomes(run.stdout)
    both = min(len(seen), len(live))
    tracker.expect(both >= 5 and live[:both] == seen[:both], f"the fixture decides alike: {seen}, not {live}")


@case("A recorder says when the daemon is not there, and leaves no empty files", seconds=2)
def record_without_daemon(bench):
    tracker = bench.tracker()
    out = f"{tracker.folder}/out.jsonl"
    for _ in range(2):
        run = tracker.cli("record", "--socket", tracker.socket, "--out", out)
        tracker.expect(run.returncode == 3 and "is there already" not in run.stderr, f"not reachable, not {run.stderr}")
    with open(out, "w") as file:
        file.write("precious\n")
    other = f"{tracker.folder}/other"
    run = tracker.cli("record", "--socket", tracker.socket, "--out", out, "--raw", other, "--force")
    tracker.expect(run.returncode == 3 and open(out).read() == "precious\n", "the old recording is as it was")
    tracker.expect(not os.path.exists(other) and not os.path.exists(other + ".idx"), "no empty files")
    for words in [("--raw", out), ("--raw", f"{tracker.folder}/./out.jsonl"), ("--motion", other, "--raw", other)]:
        run = tracker.cli("record", "--socket", tracker.socket, "--out", out, *words, "--force")
        tracker.expect(run.returncode == 1 and "named twice" in run.stderr, f"{words} refused, not {run.stderr}")
        tracker.expect(open(out).read() == "precious\n" and not os.path.exists(other), f"{words} change nothing")
    run = tracker.cli("record", "--socket", tracker.socket, "--out", other, "--raw", "/no/such/dir/x")
    tracker.expect(run.returncode == 1 and not os.path.exists(other), "what was made before the failure is gone")
