"""The receiver's time, given to a real chronyd that only looks."""
import threading
import time

from case_list import case
from cases_receiver import has_fix
from daemon import get
from line import Line, sentence
from peers import Chronyd


class Clock:
    """A receiver whose clock is `ahead` of this machine's, seconds: one RMC and GGA at the start of each of its
    seconds."""

    def __init__(self, line, ahead):
        self.line, self.ahead = line, ahead
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._feed, daemon=True)

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._stop.set()
        self._thread.join()

    def _feed(self):
        second = int(time.time() + self.ahead) + 1
        while not self._stop.wait(max(0, second - self.ahead - time.time())):
            utc = time.gmtime(second)
            clock, date = time.strftime("%H%M%S.00", utc), time.strftime("%d%m%y", utc)
            place = "4807.0380,N,01131.0000,E"
            self.line.write(sentence(f"GPRMC,{clock},A,{place},0.00,0.0,{date},,,A")
                            + sentence(f"GPGGA,{clock},{place},1,09,0.9,545.4,M,46.9,M,,"))
            second += 1


def offsets_arrive(bench, ahead):
    line = Line(bench.link)
    with Chronyd(bench) as chronyd, Clock(line, ahead):
        tracker = bench.tracker(scale=1, time={"chronySocket": chronyd.socket}).start()
        tracker.wait_for(has_fix, 30, "the receiver has a fix")
        chronyd.wait_until(lambda: len(chronyd.offsets()) >= 5, "it has five samples", 20)
        offsets = chronyd.offsets()
        # The reading can only be late: by the loop, and by the machine's load.
        tracker.expect(all(-0.3 < offset - ahead < 0.01 for offset in offsets), f"offsets of {ahead} s, not {offsets}")
        tracker.expect(chronyd.reach(bench) > 0, "a reference clock that chronyd reaches")
        seen = tracker.status()
        tracker.expect(get(seen, "clock.chrony.samples", 0) >= 5, "the samples counted in the status")
        tracker.expect(not get(seen, "clock.chrony.problem"), "no problem")


@case("chronyd gets a sample for each second, ahead where the receiver is ahead", seconds=15)
def ahead(bench):
    offsets_arrive(bench, 2.5)


@case("chronyd gets a negative offset where this machine's clock is ahead", seconds=15)
def behind(bench):
    offsets_arrive(bench, -1.25)


@case("Without chronyd the status says how to have it, and everything else goes on")
def no_chronyd(bench):
    line = Line(bench.link)
    with Clock(line, 0):
        tracker = bench.tracker(scale=1, time={"chronySocket": bench.folder / "none.sock"}).start()
        seen = tracker.wait_for(lambda status: get(status, "clock.chrony.problem"), 30, "the problem is told")
        tracker.expect("refclock SOCK" in get(seen, "clock.chrony.problem"), "a problem that says what to do")
        tracker.wait_for(lambda status: has_fix(status) and get(status, "queue.stored", 0) > 0, 30, "a point is stored")


@case("Simulated time never reaches chronyd")
def simulated(bench):
    tracker = bench.tracker(scale=10, time={"chronySocket": bench.folder / "none.sock"})
    status, said = tracker.run_to_end()
    tracker.expect(status == 2 and "--time-scale" in said, f"exit status 2 and the reason, not {status}: {said}")
