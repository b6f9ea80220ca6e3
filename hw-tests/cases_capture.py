"""Capture in the operator's hand, and across a kill."""
import json
import pathlib
import sqlite3
import time

from case_list import case
from daemon import get


def decisions(tracker):
    """(id, session, verdict, reason) of every decision, oldest first."""
    path = pathlib.Path(tracker.state) / "tracker.db"
    with sqlite3.connect(f"file:{path}?mode=ro", uri=True) as database:
        return database.execute("SELECT id, session_id, verdict, reason FROM decision ORDER BY id").fetchall()


@case("Killed and started again, the first fix is judged within 10 s, in the same session and without an Init (A-10)",
      seconds=25)
def killed(bench):
    tracker = bench.tracker(geolocation={"intervalMs": 2000, "vehicularIntervalMs": 2000})
    bench.uart(bench.journey("urban-drive").log, 1)
    tracker.start()
    tracker.wait_for(lambda status: get(status, "queue.stored", 0) >= 1, 60, "a first point is stored")
    time.sleep(3)
    before = decisions(tracker)
    tracker.kill()
    begun = time.monotonic()
    tracker.start(wait=False)
    while len(decisions(tracker)) == len(before) and time.monotonic() - begun < 20:
        time.sleep(0.1)
    after = decisions(tracker)[len(before):]
    took = time.monotonic() - begun
    tracker.expect(after and took <= 10, f"a fix judged within 10 s of the start, not {took:.1f} s")
    tracker.expect({row[1] for row in before + after} == {before[0][1]}, "one session")
    tracker.expect([row[3] for row in before + after].count("Init") == 1, "one Init")
    status = tracker.wait_for(lambda status: True, 5, "it answers")
    tracker.expect(get(status, "session.resumed") is True, "the session is gone on with")
    print(f"    first fix judged {took:.1f} s after the start: {after[0][2]} {after[0][3]}")


@case("Capture in the operator's hand: fix, pace, stop, start, odometer", seconds=30)
def by_hand(bench):
    tracker = bench.tracker()
    bench.uart(bench.journey("urban-drive").log, 1)
    tracker.start()

    def ask(*words, status=0):
        answer = tracker.cli(*words, "--socket", tracker.socket, timeout=60)
        tracker.expect(answer.returncode == status,
                       f"{words} ends with {status}, not {answer.returncode}: {answer.stdout}{answer.stderr}")
        return answer.stdout if status == 0 else answer.stderr

    fix = json.loads(ask("fix", "--json", "--timeout", "60"))
    tracker.expect(abs(fix["lat"] - 47) < 1 and fix["accuracyM"] < 30, f"a fix of the journey, not {fix}")
    tracker.expect("± " in ask("fix", "--no-feed"), "a fix for a person")
    tracker.expect(ask("pace", "moving").strip() == "moving", "moving at once")
    tracker.expect(get(tracker.status(), "motion.state") == "moving", "moving in the status")
    session = ask("start").split()[1]
    tracker.expect(session == get(tracker.status(), "session.id") + ",", "start while running is the running session")
    tracker.expect("until" in ask("stop"), "the session closed")
    tracker.expect(ask("stop").strip() == "no session was open", "nothing to stop")
    tracker.expect("start one first" in ask("pace", "still", status=1), "pace needs a session")
    tracker.stop()
    tracker.start()
    time.sleep(3)
    tracker.expect(get(tracker.status(), "session") is None, "stopped over a restart")
    ask("start")
    tracker.expect(get(tracker.status(), "session.id") + "," != session, "a new session")
    tracker.expect(ask("odometer").strip().endswith(" m"), "metres")
    ask("fix", "--timeout", "0", status=2)
    ask("pace", "sideways", status=2)


@case("The history of all fences is deleted only when that is said", seconds=1)
def fence_history_deleted(bench):
    tracker = bench.tracker()
    for words, status in [((), 2), (("depot", "--all"), 2), (("depot",), 3), (("--all",), 3)]:
        run = tracker.cli("fence", "history", "--delete", *words, "--socket", tracker.socket)
        tracker.expect(run.returncode == status, f"{words}: exit {status}, not {run.returncode} {run.stderr}")
