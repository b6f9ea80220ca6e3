"""The rows of the acceptance table that need a daemon killed in the middle of its work: `hw-tests/killpoints.py`."""
import re
import subprocess

NOT_RUN = "not run"
TRIED = 20
# A run may end before a late call comes; with fewer than these the rest would say little.
LEAST_REACHED = 15
SCENARIO = "killed at calls that write, sync, rename or send, and started again"
COUNTS = [("points lost", "points lost"), ("duplicates", "points stored twice"),
          ("databases refused", "databases refused or set aside")]


def rows(root, kept=None):
    """Measured now; else said to be not run, or, with a page to be compared with, what that has."""
    if not (root / ".build/release/tracker").exists():
        print("not run: the kill points of A-11, no release binary; make build first")
        return _kept(kept) if kept else _not_run()
    command = [root / "hw-tests/killpoints.py", "--points", str(TRIED), "--jobs", "2"]
    text = subprocess.run(command, cwd=root, stdout=subprocess.PIPE, text=True).stdout
    print(text, end="")
    tried = re.search(r"kill points tried (\d+), not reached (\d+)", text)
    passed = re.search(r"(\d+) passed, (\d+) failed", text)
    if text.startswith("skipped"):
        return _kept(kept) if kept else _not_run()
    if not tried or not passed:
        return [_row(f"{SCENARIO}: kill points tried", "ended early", f"{TRIED}", False)]
    reached = int(tried[1]) - int(tried[2])
    good = int(passed[2]) == 0 and int(tried[1]) == TRIED and reached >= LEAST_REACHED
    found = [_row(f"{SCENARIO}: kill points tried", tried[1] if good else f"{tried[1]}, {passed[0]}",
                  f"{TRIED}, at least {LEAST_REACHED} of them reached, all sound", good)]
    for name, words in COUNTS:
        count = re.search(name + r" (\d+)", text)
        found.append(_row(f"the same: {words}", count[1] if count else "not told", "0", bool(count) and count[1] == "0"))
    return found


def _row(scenario, measured, limit, passed):
    return ("A-11", scenario, measured, limit, "pass" if passed else "FAIL")


def _not_run():
    names = [f"{SCENARIO}: kill points tried"] + [f"the same: {words}" for _, words in COUNTS]
    return [("A-11", name, NOT_RUN, "0" if index else f"{TRIED}", NOT_RUN) for index, name in enumerate(names)]


def _kept(page):
    lines = page.read_text(encoding="utf-8").splitlines() if page.exists() else []
    return [tuple(cell.strip() for cell in line.strip("|").split("|")) for line in lines if line.startswith("| A-11 |")]
