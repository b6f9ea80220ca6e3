#!/usr/bin/env python3
"""Lets each call of the real daemon that writes, syncs or cuts a file of its database fail, with "no space left" and with
"I/O error", one run each, once or forty times on end, and looks at what comes of it: the daemon goes on, the store is in
order again by itself, no point that it judged is lost or doubled, the server gets all, and the database is sound.

usage: hw-tests/faultpoints.py [--points N] [--jobs N]
       --points N: only N of the calls, spread evenly, for each kind of failure (default: all, about half an hour)
"""
import argparse
import concurrent.futures
import errno
import sys
import time

sys.dont_write_bytecode = True

import bench as benches
import killpoints
from daemon import get
from process import Failed, Skipped

ERRORS = [errno.ENOSPC, errno.EIO]
RUNS = [1, 40]


def count_calls(shim):
    with benches.Bench() as bench:
        counter = bench.folder / "calls"
        _, tracker = killpoints.start(bench, shim, f"FAIL_COUNT={counter}")
        time.sleep(killpoints.RUN_S)
        tracker.kill()
        return int(counter.read_text().split()[0])


def fail_at(call, error, times, shim):
    with benches.Bench() as bench:
        server, tracker = killpoints.start(
            bench, shim, f"FAIL_AT={call}", f"FAIL_FOR={times}", f"FAIL_WITH={error}")
        end = time.monotonic() + killpoints.RUN_S
        while time.monotonic() < end:
            if tracker.process.poll() is not None:
                raise Failed(f"the daemon ended with {tracker.process.returncode}\n{tracker.seen()}")
            time.sleep(0.05)
        last = tracker.drain(killpoints.DRAIN_S)
        last = tracker.wait_for(
            lambda status: get(status, "storage.state") != "degraded", killpoints.DRAIN_S, "the store is in order")
        tracker.expect(get(last, "storage.dropped") is None, "no fix given up")
        tracker.expect(tracker.stop() == 0, "an orderly end")
        stored = killpoints.uuids(tracker, "")
        received = {point["uuid"] for point in server.points()}
        marked = killpoints.uuids(tracker, "WHERE sync_state = 1")
        tracker.expect(received <= stored, f"nothing received that is not in the database; {received - stored} are")
        tracker.expect(marked <= received, f"marked sent only what the server had; it lacked {marked - received}")
        checks = {
            "a sound database": ("PRAGMA integrity_check", "ok"),
            "nothing set aside": ("SELECT count(*) FROM point WHERE sync_state = 2", 0),
            "one open session": ("SELECT count(*) FROM session WHERE ended_at_ms IS NULL", 1),
            "no fix stored twice": ("SELECT count(*) - count(DISTINCT instant_ns || boot_id) FROM point", 0),
            "the right count": (
                "SELECT value = (SELECT count(*) || ' ' || count(*) FILTER (WHERE sync_state = 0) || ' 0' FROM point) "
                "FROM state WHERE key = 'counts'", 1),
        }
        for what, (sql, wanted) in checks.items():
            found = killpoints.rows(tracker, sql)
            tracker.expect(found == [(wanted,)], f"{what}, not {found}")


def run(points, jobs, told=print):
    """Fails `points` of the calls in each way, all of them for 0; returns how many runs there were, and the failures."""
    with benches.Bench() as shelf:
        shim = killpoints.build_shim(shelf.folder)
        total = count_calls(shim)
        wanted = min(points or total, total)
        calls = sorted({1 + index * total // wanted for index in range(wanted)})
        told(f"{total} calls on the database in {killpoints.RUN_S} s of the daemon; failing {len(calls)} of them")
        ways = [(call, error, times) for call in calls for error in ERRORS for times in RUNS]
        failures = []
        with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
            runs = {pool.submit(fail_at, *way, shim): way for way in ways}
            for done in concurrent.futures.as_completed(runs):
                try:
                    done.result()
                except Failed as failure:
                    call, error, times = runs[done]
                    failures.append(f"{errno.errorcode[error]} at call {call}, {times} times: {failure}")
                    told(failures[-1])
        return len(ways), failures


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--points", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=4)
    chosen = parser.parse_args()
    try:
        tried, failures = run(chosen.points, chosen.jobs, lambda text: print(text, flush=True))
    except Skipped as reason:
        print(f"skipped: {reason}\n0 passed, 0 failed, 1 skipped")
        return 0
    print(f"{tried - len(failures)} passed, {len(failures)} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
