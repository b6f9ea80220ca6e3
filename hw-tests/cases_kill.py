"""The daemon killed in the middle of what it writes and sends; `killpoints.py` does it at every call."""
import faultpoints
import killpoints
from case_list import case
from process import Failed, Skipped


@case("Killed at twenty of its calls that write, sync, rename or send: nothing is lost, doubled or set aside (of A-11, F-47)",
      seconds=60)
def killed_while_writing(bench):
    if not bench.place.is_here:
        raise Skipped("needs the simulated bench")
    _, reached, failures = killpoints.run(points=20, jobs=2, told=lambda text: None)
    if failures:
        raise Failed("\n".join(failures))
    if reached < 15:
        raise Failed(f"only {reached} of 20 calls were reached")


@case("Disk full and I/O errors at some of the calls that write the database: it goes on, nothing is lost (E-140, F-64)",
      seconds=60)
def failing_writes(bench):
    if not bench.place.is_here:
        raise Skipped("needs the simulated bench")
    tried, reached, failures = faultpoints.run(points=3, jobs=2, told=lambda text: None)
    if failures:
        raise Failed("\n".join(failures))
    if reached < tried * 2 // 3:
        raise Failed(f"only {reached} of {tried} calls were reached")
