"""The real daemon under a preloaded library that ends it at a call, or lets the call fail: what killpoints.py and
faultpoints.py have in common."""
import argparse
import concurrent.futures
import pathlib
import shutil
import sqlite3
import subprocess
import time

import bench as benches
from process import Failed, Skipped

KILL_SHIM = pathlib.Path(__file__).resolve().parent / "killshim.c"
SPEED = 60
# Of this machine: how long a run lives when nothing ends it, and at most until everything has been sent.
RUN_S = 4
DRAIN_S = 60
NO_FIX_TWICE = "SELECT count(*) - count(DISTINCT instant_ns || boot_id) FROM point"


def build(folder, source=KILL_SHIM):
    """The library of a source file, to be preloaded."""
    compiler = next((name for name in ("cc", "clang", "gcc") if shutil.which(name)), None)
    if compiler is None:
        raise Skipped("there is no C compiler")
    library = folder / (source.stem + ".so")
    subprocess.run([compiler, "-O1", "-shared", "-fPIC", "-o", library, source, "-ldl"], check=True)
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


def counted(file):
    """The calls that the shim has counted into a file."""
    return int(file.read_text().split()[0]) if file.exists() and file.stat().st_size else 0


def count_calls(shim, variable):
    with benches.Bench() as bench:
        counter = bench.folder / "calls"
        _, tracker = start(bench, shim, f"{variable}={counter}")
        time.sleep(RUN_S)
        tracker.kill()
        return counted(counter)


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


def expect_rows(tracker, checks):
    """`checks`: what each query must give, by what it shows."""
    for what, (sql, wanted) in checks.items():
        found = rows(tracker, sql)
        tracker.expect(found == [(wanted,)], f"{what}, not {found}")


def spread(points, total):
    """So many of the calls, evenly; all of them for 0."""
    wanted = min(points or total, total)
    return sorted({1 + index * total // wanted for index in range(wanted)})


def run_each(function, ways, jobs, name, told):
    """Runs the function for each way; it returns whether its call was reached. Returns how many were, and the failures."""
    reached, failures = 0, []
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        runs = {pool.submit(function, *way): way for way in ways}
        for done in concurrent.futures.as_completed(runs):
            try:
                reached += done.result()
            except Failed as failure:
                failures.append(f"{name(*runs[done])}: {failure}")
                told(failures[-1])
    return reached, failures


def main(text, run):
    """`run` takes the number of points, of jobs and a printer; returns how many were tried, were reached, and failures."""
    parser = argparse.ArgumentParser(description=text, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--points", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=4)
    chosen = parser.parse_args()
    try:
        tried, reached, failures = run(chosen.points, chosen.jobs, lambda line: print(line, flush=True))
    except Skipped as reason:
        print(f"skipped: {reason}\n0 passed, 0 failed, 1 skipped")
        return 0
    # A run that ended before its call was reached has shown nothing.
    print(f"points tried {tried}, not reached {tried - reached - len(failures)}")
    print(f"{reached} passed, {len(failures)} failed, {tried - reached - len(failures)} skipped")
    return 1 if failures or reached == 0 else 0
