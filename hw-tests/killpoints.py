#!/usr/bin/env python3
"""Ends the real daemon with SIGKILL at every call that writes, syncs, cuts, renames, removes or sends, one run each, and
looks at what is left: every point that was committed or confirmed is still there, under the uuid it was sent with; only
what the server had is marked sent, and in the end it has all; nothing is set aside or stored twice; there is one session
with one Init; the database opens and is sound. A process is killed, not a board's power: the page cache survives.

usage: hw-tests/killpoints.py [--points N] [--jobs N]
       --points N: only N of the calls, spread evenly (default: all, about ten minutes)
"""
import argparse
import concurrent.futures
import pathlib
import shutil
import sqlite3
import subprocess
import sys
import time

sys.dont_write_bytecode = True

import bench as benches
from daemon import get
from process import Failed, Skipped

SHIM = pathlib.Path(__file__).resolve().parent / "killshim.c"
SPEED = 60
# Of this machine: how long a run lives when nothing kills it, and at most until a restarted one has sent everything.
RUN_S = 4
DRAIN_S = 60


class Tally:
    """What all runs together lost, have twice, or could not open again."""

    def __init__(self):
        self.lost = self.doubled = self.refused = 0

    def __str__(self):
        return f"points lost {self.lost}, duplicates {self.doubled}, databases refused {self.refused}"


def build_shim(folder):
    compiler = next((name for name in ("cc", "clang", "gcc") if shutil.which(name)), None)
    if compiler is None:
        raise Skipped("there is no C compiler")
    library = folder / "killshim.so"
    subprocess.run([compiler, "-O1", "-shared", "-fPIC", "-o", library, SHIM, "-ldl"], check=True)
    return library


def start(bench, shim, *variables):
    """A daemon under the shim, on a drive, with a server; returns both."""
    server = bench.server()
    tracker = bench.tracker(
        scale=SPEED, upload={**bench.url(server.port), "autoSyncCoalesceSec": 20, "backoffInitialSec": 5},
        geolocation={"intervalMs": 5000, "vehicularIntervalMs": 5000})
    bench.uart(bench.journey("urban-drive").log, SPEED)
    tracker.start(wait=False, under=["env", f"LD_PRELOAD={shim}", *variables])
    return server, tracker


def count_calls(shim):
    with benches.Bench() as bench:
        counter = bench.folder / "calls"
        _, tracker = start(bench, shim, f"KILL_COUNT={counter}")
        time.sleep(RUN_S)
        tracker.kill()
        return int(counter.read_text())


def rows(tracker, sql):
    path = pathlib.Path(tracker.state) / "tracker.db"
    with sqlite3.connect(f"file:{path}?mode=ro", uri=True) as database:
        return database.execute(sql).fetchall()


def uuids(tracker, condition):
    """Of the stored points; none while the daemon died before there was a table."""
    try:
        return {uuid for (uuid,) in rows(tracker, f"SELECT uuid FROM point {condition}")}
    except sqlite3.OperationalError as problem:
        if "no such table" in str(problem) or "unable to open" in str(problem):
            return set()
        raise


def start_again(tracker, tally):
    try:
        tracker.start()
    except Failed:
        tally.refused += 1
        raise
    if any("storageReset" in warning for warning in get(tracker.last, "service.warnings", [])):
        tally.refused += 1


def kill_at(call, shim, tally):
    """One run; returns whether the call was reached."""
    with benches.Bench() as bench:
        server, tracker = start(bench, shim, f"KILL_AT={call}")
        end = time.monotonic() + RUN_S
        while tracker.process.poll() is None and time.monotonic() < end:
            time.sleep(0.05)
        reached = tracker.process.poll() is not None
        tracker.kill()
        confirmed = {point["uuid"] for point in server.points()}
        # What was committed when it died; a restart may only add to it.
        committed = uuids(tracker, "")
        marked = uuids(tracker, "WHERE sync_state = 1")
        tracker.expect(marked <= confirmed, f"marked sent only what the server had; it lacked {marked - confirmed}")
        start_again(tracker, tally)
        last = tracker.drain(DRAIN_S)
        tracker.expect(tracker.stop() == 0, "an orderly end")
        stored = uuids(tracker, "")
        received = {point["uuid"] for point in server.points()}
        twice = "SELECT count(*) - count(DISTINCT instant_ns || boot_id) FROM point"
        tally.lost += len((committed | confirmed) - stored | committed - received)
        tally.doubled += rows(tracker, twice)[0][0]
        tracker.expect(committed <= stored, f"every committed point kept; {committed - stored} are gone")
        tracker.expect(confirmed <= stored, f"confirmed points in the database; {confirmed - stored} are not")
        # What was stored after the queue had been empty may still be on its way.
        tracker.expect(received <= stored, f"nothing received that is not in the database; {received - stored} are")
        tracker.expect(committed <= received, f"every committed point received; {committed - received} are not")
        checks = {
            "nothing set aside": ("SELECT count(*) FROM point WHERE sync_state = 2", 0),
            "a sound database": ("PRAGMA integrity_check", "ok"),
            "one Init": ("SELECT count(*) FROM point WHERE accept_reason = 'Init'", 1),
            "one session": ("SELECT count(*) FROM session", 1),
            "no fix stored twice": (twice, 0),
        }
        for what, (sql, wanted) in checks.items():
            tracker.expect(rows(tracker, sql) == [(wanted,)], f"{what}, not {rows(tracker, sql)}")
        tracker.expect(get(last, "storage.state") == "ok", "the store in order")
        return reached


def run(points, jobs, told=print, tally=None):
    """Kills at `points` of the calls, all of them for 0; returns how many were tried, were reached, and the failures."""
    tally = tally or Tally()
    with benches.Bench() as shelf:
        shim = build_shim(shelf.folder)
        total = count_calls(shim)
        wanted = min(points or total, total)
        calls = sorted({1 + index * total // wanted for index in range(wanted)})
        told(f"{total} calls in {RUN_S} s of the daemon; killing at {len(calls)} of them")
        reached, failures = 0, []
        with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
            runs = {pool.submit(kill_at, call, shim, tally): call for call in calls}
            for done in concurrent.futures.as_completed(runs):
                try:
                    reached += done.result()
                except Failed as failure:
                    failures.append(f"killed at call {runs[done]}: {failure}")
                    told(failures[-1])
        return len(calls), reached, failures


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--points", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=4)
    chosen = parser.parse_args()
    try:
        tally = Tally()
        tried, reached, failures = run(chosen.points, chosen.jobs, lambda text: print(text, flush=True), tally)
    except Skipped as reason:
        print(f"skipped: {reason}\n0 passed, 0 failed, 1 skipped")
        return 0
    # A run that ended before its call was reached has shown nothing.
    print(tally)
    print(f"kill points tried {tried}, not reached {tried - reached - len(failures)}")
    print(f"{reached} passed, {len(failures)} failed, {tried - reached - len(failures)} skipped")
    return 1 if failures or reached == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
