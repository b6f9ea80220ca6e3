#!/usr/bin/env python3
"""Ends the real daemon with SIGKILL at every call that writes, syncs, cuts, renames, removes or sends, one run each, and
looks at what is left: every point that was committed or confirmed is still there, under the uuid it was sent with; only
what the server had is marked sent, and in the end it has all; nothing is set aside or stored twice; there is one session
with one Init; the database opens and is sound. A process is killed, not a board's power: the page cache survives.

usage: hw-tests/killpoints.py [--points N] [--jobs N]
       --points N: only N of the calls, spread evenly (default: all, about half an hour)
"""
import pathlib
import sys
import time

sys.dont_write_bytecode = True

import bench as benches
import shimmed
from daemon import get
from process import Failed


class Tally:
    """What all runs together lost, have twice, or could not open again."""

    def __init__(self):
        self.lost = self.doubled = self.refused = 0

    def __str__(self):
        return f"points lost {self.lost}, duplicates {self.doubled}, databases refused {self.refused}"


def start_again(tracker, tally):
    try:
        tracker.start()
    except Failed:
        tally.refused += 1
        raise
    if list(pathlib.Path(tracker.state).glob("tracker.db.damaged-*")):
        tally.refused += 1
        tracker.expect(False, "a database that is not taken for damaged")


def kill_at(call, shim, tally):
    """One run; returns whether the call was reached."""
    with benches.Bench() as bench:
        server, tracker = shimmed.start(bench, shim, f"KILL_AT={call}")
        end = time.monotonic() + shimmed.RUN_S
        while tracker.process.poll() is None and time.monotonic() < end:
            time.sleep(0.05)
        reached = tracker.process.poll() is not None
        tracker.kill()
        confirmed = {point["uuid"] for point in server.points()}
        # What was committed when it died; a restart may only add to it.
        committed = shimmed.uuids(tracker, "")
        marked = shimmed.uuids(tracker, "WHERE sync_state = 1")
        tracker.expect(marked <= confirmed, f"marked sent only what the server had; it lacked {marked - confirmed}")
        start_again(tracker, tally)
        last = tracker.drain(shimmed.DRAIN_S)
        tracker.expect(tracker.stop() == 0, "an orderly end")
        stored = shimmed.uuids(tracker, "")
        received = {point["uuid"] for point in server.points()}
        tally.lost += len((committed | confirmed) - stored | committed - received)
        tally.doubled += shimmed.rows(tracker, shimmed.NO_FIX_TWICE)[0][0]
        tracker.expect(committed <= stored, f"every committed point kept; {committed - stored} are gone")
        tracker.expect(confirmed <= stored, f"confirmed points in the database; {confirmed - stored} are not")
        # What was stored after the queue had been empty may still be on its way.
        tracker.expect(received <= stored, f"nothing received that is not in the database; {received - stored} are")
        tracker.expect(committed <= received, f"every committed point received; {committed - received} are not")
        shimmed.expect_rows(tracker, {
            "nothing set aside": ("SELECT count(*) FROM point WHERE sync_state = 2", 0),
            "a sound database": ("PRAGMA integrity_check", "ok"),
            "one Init": ("SELECT count(*) FROM point WHERE accept_reason = 'Init'", 1),
            "one session": ("SELECT count(*) FROM session", 1),
            "no fix stored twice": (shimmed.NO_FIX_TWICE, 0),
        })
        tracker.expect(get(last, "storage.state") == "ok", "the store in order")
        return reached


def run(points, jobs, told=print):
    """Kills at `points` of the calls, all of them for 0; returns how many were tried, were reached, and the failures."""
    tally = Tally()
    with benches.Bench() as shelf:
        shim = shimmed.build(shelf.folder)
        total = shimmed.count_calls(shim, "KILL_COUNT")
        calls = shimmed.spread(points, total)
        told(f"{total} calls in {shimmed.RUN_S} s of the daemon; killing at {len(calls)} of them")
        reached, failures = shimmed.run_each(
            kill_at, [(call, shim, tally) for call in calls], jobs, lambda call, *_: f"killed at call {call}", told)
    told(str(tally))
    return len(calls), reached, failures


if __name__ == "__main__":
    sys.exit(shimmed.main(__doc__, run))
