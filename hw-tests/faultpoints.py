#!/usr/bin/env python3
"""Lets each call of the real daemon that writes, syncs or cuts a file of its database fail, with "no space left" and with
"I/O error", one run each, once or forty times on end, and looks at what comes of it: the daemon goes on, the store is in
order again by itself, no point that it judged is lost or doubled, the server gets all, and the database is sound.

usage: hw-tests/faultpoints.py [--points N] [--jobs N]
       --points N: only N of the calls, spread evenly, for each kind of failure (default: all, more than an hour)
"""
import errno
import sys
import time

sys.dont_write_bytecode = True

import bench as benches
import shimmed
from daemon import get
from process import Failed

ERRORS = [errno.ENOSPC, errno.EIO]
RUNS = [1, 40]


def fail_at(call, error, times, shim):
    """One run; returns whether the call was reached, and so failed."""
    with benches.Bench() as bench:
        counter = bench.folder / "calls"
        server, tracker = shimmed.start(
            bench, shim, f"FAIL_AT={call}", f"FAIL_FOR={times}", f"FAIL_WITH={error}", f"FAIL_COUNT={counter}")
        end = time.monotonic() + shimmed.RUN_S
        while time.monotonic() < end:
            if tracker.process.poll() is not None:
                raise Failed(f"the daemon ended with {tracker.process.returncode}\n{tracker.seen()}")
            time.sleep(0.05)
        tracker.drain(shimmed.DRAIN_S)
        last = tracker.wait_for(
            lambda status: get(status, "storage.state") != "degraded", shimmed.DRAIN_S, "the store is in order")
        reached = shimmed.counted(counter) >= call
        tracker.expect(get(last, "storage.dropped") is None, "no fix given up")
        tracker.expect(tracker.stop() == 0, "an orderly end")
        stored = shimmed.uuids(tracker, "")
        received = {point["uuid"] for point in server.points()}
        marked = shimmed.uuids(tracker, "WHERE sync_state = 1")
        tracker.expect(received <= stored, f"nothing received that is not in the database; {received - stored} are")
        tracker.expect(marked <= received, f"marked sent only what the server had; it lacked {marked - received}")
        shimmed.expect_rows(tracker, {
            "a sound database": ("PRAGMA integrity_check", "ok"),
            "nothing set aside": ("SELECT count(*) FROM point WHERE sync_state = 2", 0),
            "one open session": ("SELECT count(*) FROM session WHERE ended_at_ms IS NULL", 1),
            "no fix stored twice": (shimmed.NO_FIX_TWICE, 0),
            "the right count": (
                "SELECT value = (SELECT count(*) || ' ' || count(*) FILTER (WHERE sync_state = 0) || ' 0' FROM point) "
                "FROM state WHERE key = 'counts'", 1),
        })
        return reached


def run(points, jobs, told=print):
    """Fails `points` of the calls in each way, all of them for 0; returns how many runs there were, how many of them
    reached their call, and the failures."""
    with benches.Bench() as shelf:
        shim = shimmed.build(shelf.folder)
        total = shimmed.count_calls(shim, "FAIL_COUNT")
        calls = shimmed.spread(points, total)
        told(f"{total} calls on the database in {shimmed.RUN_S} s of the daemon; failing {len(calls)} of them")
        ways = [(call, error, times, shim) for call in calls for error in ERRORS for times in RUNS]
        reached, failures = shimmed.run_each(
            fail_at, ways, jobs,
            lambda call, error, times, _: f"{errno.errorcode[error]} at call {call}, {times} times", told)
    return len(ways), reached, failures


if __name__ == "__main__":
    sys.exit(shimmed.main(__doc__, run))
