"""Simulated journeys with their true path, made once a run."""
import csv
import math
import pathlib
import subprocess
import tempfile
import threading

RELEASE = pathlib.Path(__file__).resolve().parent.parent / ".build/release"
# Below this the truth's vehicle stands; above it, it drives.
DRIVING_MPS = 0.5


class Journey:
    def __init__(self, name, folder):
        self.name = name
        self.log = folder / f"{name}.nmea"
        self.motion = folder / f"{name}.motion"
        self.truth_file = folder / f"{name}.truth.csv"
        with open(self.truth_file, newline="") as file:
            self.truth = [
                (int(row["t_ms"]), float(row["lat"]), float(row["lon"]), float(row["speed_mps"]))
                for row in csv.DictReader(file)
            ]

    @property
    def duration_s(self):
        return (self.truth[-1][0] - self.truth[0][0]) / 1000

    @property
    def drive_start_ms(self):
        return next(row[0] for row in self.truth if row[3] > DRIVING_MPS)

    @property
    def drive_end_ms(self):
        return next(row[0] for row in reversed(self.truth) if row[3] > DRIVING_MPS)

    @property
    def distance_m(self):
        return sum(distance_m(a[1:3], b[1:3]) for a, b in zip(self.truth, self.truth[1:]))


def distance_m(a, b):
    """Great-circle distance on the sphere of mean radius; good to 0.5 %."""
    (lat1, lon1), (lat2, lon2) = [tuple(map(math.radians, point)) for point in (a, b)]
    h = math.sin((lat2 - lat1) / 2) ** 2 + math.cos(lat1) * math.cos(lat2) * math.sin((lon2 - lon1) / 2) ** 2
    return 2 * 6_371_008.8 * math.asin(math.sqrt(h))


class Journeys:
    _lock = threading.Lock()
    _folder = None
    _made = {}

    @classmethod
    def get(cls, name):
        with cls._lock:
            if cls._folder is None:
                cls._folder = tempfile.TemporaryDirectory(prefix="trk-journeys-")
            if name not in cls._made:
                folder = pathlib.Path(cls._folder.name)
                subprocess.run(
                    [RELEASE / "tracker-sim", "journey", name, "--out", folder],
                    check=True, stdout=subprocess.DEVNULL, timeout=120)
                cls._made[name] = Journey(name, folder)
            return cls._made[name]
