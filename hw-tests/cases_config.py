"""Configurations: missing, broken, out of range, unknown, and the ones this project ships."""
import re

from case_list import case
from cases_start import expect_refusal
from daemon import get
from bench import ROOT

# The lines at fault are 6 and 8.
OUT_OF_RANGE = """service:
  stateDir: "{state}"
  socket: "{socket}"
geolocation:
  # far below the shortest interval
  intervalMs: 3
upload:
  batchSize: many
"""


def bad_config(tracker):
    return OUT_OF_RANGE.format(state=tracker.state, socket=tracker.socket)


@case("Without a configuration and without a last good one it ends with 78")
def missing(bench):
    tracker = bench.tracker()
    tracker.config = f"{tracker.folder}/none.yaml"
    expect_refusal(tracker, 78, tracker.config)


@case("A malformed configuration ends with 78 and the line of the fault")
def malformed(bench):
    tracker = bench.tracker()
    tracker.write_config("gnss:\n  baud: [9600\nupload:\n")
    status, said = tracker.run_to_end()
    tracker.expect(status == 78, f"exit status 78, not {status}; it said: {said}")
    tracker.expect(re.search(r"\b[234]\b", said), f"the line of the fault; it said: {said}")
    check = tracker.cli("config", "check", tracker.config)
    tracker.expect(check.returncode == 1, f"config check refuses, not {check.returncode}")


@case("Values out of range are all listed with their lines")
def out_of_range(bench):
    tracker = bench.tracker()
    tracker.write_config(bad_config(tracker))
    status, said = tracker.run_to_end()
    tracker.expect(status == 78, f"exit status 78, not {status}; it said: {said}")
    check = tracker.cli("config", "check", tracker.config)
    tracker.expect(check.returncode == 1, f"config check refuses, not {check.returncode}")
    for text in (said, check.stdout + check.stderr):
        for key, line in (("geolocation.intervalMs", 6), ("upload.batchSize", 8)):
            tracker.expect(key in text and re.search(rf"\b{line}\b", text), f"{key} at line {line} in: {text}")


@case("With a last good configuration a bad one does not stop the daemon")
def last_good(bench):
    tracker = bench.tracker(geolocation={"intervalMs": 30000, "vehicularIntervalMs": 10000}).start()
    tracker.expect(get(tracker.last, "service.configSource") == "supplied", "the supplied configuration in use")
    tracker.stop()
    tracker.write_config(bad_config(tracker))
    seen = tracker.start().status()
    tracker.expect(get(seen, "service.configSource") == "lastGood", "the last good configuration in use")
    tracker.expect(any("intervalMs" in text for text in get(seen, "service.warnings", [])), "a warning that says why")
    tracker.expect(get(seen, "cadence.intervalMs") in (10000, 30000), "its interval in force")


@case("An unknown key is a warning to the daemon and a failure to config check")
def unknown_key(bench):
    tracker = bench.tracker(gnss={"colour": "blue"}).start()
    tracker.expect(
        any("gnss.colour" in text for text in get(tracker.last, "service.warnings", [])), "a warning that names it")
    check = tracker.cli("config", "check", tracker.config)
    tracker.expect(check.returncode == 1 and "gnss.colour" in check.stdout + check.stderr, "config check fails on it")


@case("The configurations this project ships pass config check")
def shipped(bench):
    tracker = bench.tracker()
    files = [ROOT / "deploy/tracker.yaml", *sorted(ROOT.glob("board/*/tracker.yaml"))]
    for file in files:
        check = tracker.cli("config", "check", file)
        tracker.expect(check.returncode == 0, f"{file} accepted, not: {check.stdout}{check.stderr}")
