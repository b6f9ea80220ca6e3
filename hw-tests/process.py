"""Child processes that never outlive the bench, and the two ways a case ends other than well."""
import pathlib
import subprocess


class Failed(AssertionError):
    """A case's expectation that did not come true; the text has what was seen instead."""


class Skipped(Exception):
    """The case cannot run on this bench; the text says why."""


def spawn(command, log, **options):
    """Starts a process that cannot outlive the thread that started it. Its stderr goes to the file `log`."""
    with open(log, "ab") as errors:
        return subprocess.Popen(
            ["setpriv", "--pdeathsig", "KILL", "--", *map(str, command)],
            stdin=subprocess.DEVNULL, stderr=errors, **options
        )


def tail(file, lines=15):
    """The last lines of a file, indented for a report."""
    try:
        text = pathlib.Path(file).read_text(errors="replace").splitlines()[-lines:]
    except OSError:
        return ""
    return "\n".join(f"    | {line}" for line in text)
