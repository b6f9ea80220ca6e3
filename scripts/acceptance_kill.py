"""The rows of the acceptance table that need a daemon killed in the middle of its work: `hw-tests/killpoints.py`."""
import re
import subprocess

TRIED = 20
# A run may end before a late call comes; with fewer than these the rest would say little.
LEAST_REACHED = 15
SCENARIO = "killed at calls that write, sync, rename or send, and started again"
COUNTS = [("points lost", "points lost"), ("duplicates", "points stored twice"),
          ("databases refused", "databases refused or set aside")]


def rows(root):
    """Measured now, or a row that fails and says why not."""
    if not (root / ".build/release/tracker").exists():
        return [_row(f"{SCENARIO}: kill points tried", "not run: no release binary, make build first", f"{TRIED}", False)]
    command = [root / "hw-tests/killpoints.py", "--points", str(TRIED), "--jobs", "2"]
    text = subprocess.run(command, cwd=root, stdout=subprocess.PIPE, text=True).stdout
    print(text, end="")
    tried = re.search(r"points tried (\d+), not reached (\d+)", text)
    passed = re.search(r"(\d+) passed, (\d+) failed", text)
    if not tried or not passed:
        return [_row(f"{SCENARIO}: kill points tried", "not run to the end", f"{TRIED}", False)]
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
