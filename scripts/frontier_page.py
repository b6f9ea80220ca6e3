"""What docs/frontier.md says of the rows that scripts/frontier measured. Its words hold no measured number: those are in the rows."""

HEAD = """# Energy and error

Two weeks of five devices and the simulator's journeys, under this tracker and under rules that others publish: what each
costs and how good its track is. `make frontier` runs them and writes this page and the plot (some minutes on two cores);
the same sources give the same page. `make check` runs the trailer again, `swift test --filter FrontierTests` two days of the commuter.

![Energy and error of every rule in every life](frontier.svg)

"""

NOTES = """## What runs

**This tracker** is the daemon's whole runtime on a manual clock: a simulated u-blox M8 at byte level that is sent to rest and
woken, an LIS3DH at register level with its interrupt line, a battery, a modem, a server, SQLite in memory. Nothing of it is
rewritten for this page.

| Mode | |
|---|---|
| default | every default, `gnss.powerControl: ubx`, the interrupt wired (`accel.intLine`) |
| fine | also `geolocation.navigationMode` every 3 s, `motion.stopTimeoutMin: 1`, `upload.autoSyncCoalesceSec: 300` |
| shape | `geolocation.capture: geometry` to 10 m, `motion.stopTimeoutMin: 1`, `upload.autoSyncCoalesceSec: 300` |
| long life | shape to 30 m, `gnss.whileMoving: cyclic`, `accel.rateHz: 25`, `service.backstopIntervalMin: 360`, `upload.autoSyncCoalesceSec: 900` |
| months | `gnss.whileMoving: rest`, `geolocation.vehicularIntervalMs: 120000`, `motion.stopTimeoutMin: 1`, `service.backstopIntervalMin: 360`, `accel.rateHz: 25`, and tier `critical` at any charge (`power.criticalBelowPercent: 100`) |
| tier saver, tier critical | default with the battery at 25 % and at 12 %, all the time |

**The other rules** are small state machines (`Benchmarks/Frontier/Baseline.swift`) in the same world: the same receiver errors,
times to a fix, ledger and server, points as long as ours, one wake-up a second while their receiver is on.

| Rule | As published | Assumed here |
|---|---|---|
| fixed 10 s, fixed 60 s | a point each interval, sent at once; the receiver runs. The plainest setting of every logger and app | |
| 120 s in trips | Digital Matter, default settings of Oyster and Oyster3 (support.digitalmatter.com, "Oyster Cellular default settings", "Changing the Update Rate [Oyster3]"): asleep until shaken; a trip from 250 m on; a point each 120 s; uploads at the start, each 30 min and at the end; ends after 5 min without movement; a sign of life each 12 h | receiver off between points; shaken at one place, a look each 5 min at most; a search ends after 120 s; the end of a trip is a point |
| 100 m or 300 s | OwnTracks booklet (owntracks.org/booklet/features/location), move mode on iOS: whichever is first, published at once; location is watched all the time | |
| elastic 10 m | Transistor Software's background geolocation (pub.dev, flutter_background_geolocation, `Config`), defaults: `distanceFilter` 10 m times the speed in steps of 5 m/s, `stopTimeout` 5 min, each location uploaded at once (`autoSync`); off at rest until movement is sensed | anything that the accelerometer feels is movement; the stop is a point |
| …, batched | strengthened: an upload each 5 min; fixed 60 s also with the receiver off between points | not what is published |

All of them take a first fix when it is good to 30 m, or after ten seconds of worse ones, and have a perfect accelerometer.

**The world.** Truth every second. A car's acceleration, corners and lights, a walker's pauses and a boat's swinging are made up
(`Life+Catalog.swift`), the same for all. Position errors wander by 3 m on an axis over a minute, 0.3 m of noise on top. The
receiver starts hot in 1 s, warm in 23 to 27 s, cold in 28 to 32 s, worse at first (u-blox M8 data sheet UBX-13003366 §1.3,
[what is modelled](modules/simulator.md)), and errs by 1.4 times as much while it tracks cyclically (an assumption). The
modem is LTE, attached all the time, quality 50 of 100; an exchange takes 0.9 s with a new connection and 0.2 s within a
minute of the last, 1 Mbit/s up, 5.4 kB for TLS 1.3, 0.7 kB for request and answer: an assumption, the same for all. Its
radio stays up for 10 s (the ledger's tail).

**Energy** is the ledger's (`power.model.*`, [its sources](modules/power.md#energy)), without what is drawn whatever a rule does:
the idle board (600 mW) and the attached modem (115 mW), 240 Wh in two weeks. On a Pi Zero that dwarfs most of these rows; what
is compared here is what a rule decides. Processor time is left out on all sides.

## What the columns mean

| | |
|---|---|
| line | in trips, every second: from the truth to where the drawn line is at that time, 95 % ([the judge](modules/judge.md), `errorAtTime`). Straight lines between points, so that a late first point drags the line along from the stop before |
| off | in trips, every second: from the truth to the nearest part of the line, 95 % (`distance`) |
| pin | in stays, every minute from one after arrival on: from the truth to the last point, 95 % |
| missed | trips (100 m or more) without a point in them more than 100 m from their start |
| false | stays with a point in them, from a minute after arrival on, more than 100 m from the truth |
| beaten by | rules that have less energy and a smaller error, by *line* and by *off* |

Of several journeys the 95 % are weighed by their seconds. *Half*: of a rule, the cheapest mode with an equal or smaller error, equal up
to 10 % more (the receiver's own 95 % is 7.4 m); kept where that takes half of the rule's energy or less. *Beaten by* gives no
such allowance.

"""

FINDINGS = """Why it is missed where it is:

- **120 s in trips** has its receiver off between two points while it travels, sees a trip's start only at 250 m, and its
  accelerometer costs it no processor time. `months` does the same with a better line. Half of its energy is missed where the
  energy is not in what `months` does without: in the receiver's first fix of a day, which takes half a minute whoever asks for
  it, where there are many short ways (hiker, journeys), and in reading the accelerometer for days on end (boat).
- **By line, the start of a trip decides.** A start is judged on the first due fix after it, and the line is dragged there
  from the stop; an elastic filter has its first point after 10 m. By *off*, which does not see that drag, one is as
  good. A point at the stop itself, offered when the first one behind it is accepted, would mend it.
- **At a door** the receiver runs until `motion.stopTimeoutMin` is over, also while the accelerometer is still: of the van
  compare the hours of the default mode with those of `fine`, `shape` and `long life`, which make it a minute.
- **Waves** that come and go are one shaking after the other, and the second within a minute counts as movement, whatever the
  receiver says: in the default mode the boat's receiver runs most of the day, as that of the elastic filter does.

"""

# Up to this times a rule's error is an equal one.
EQUAL = 1.1
KINDS = {"policy": "", "published": "", "strengthened": " *"}


def wh(millijoules):
    return millijoules / 3_600_000


def number(value):
    return f"{value:,.0f}" if value >= 100 else f"{value:.1f}" if value >= 1 else f"{value:.2f}"


def metres(centimetres):
    return f"{centimetres / 100:.0f}" if centimetres >= 10_000 else f"{centimetres / 100:.1f}"


def of_kind(rows, kind):
    return [row for row in rows if row["kind"] == kind]


def rivals(mode, rows, error, kinds=("published",)):
    """Rules that are better than a mode in both."""
    return [row["name"] + KINDS[row["kind"]] for row in rows
            if row["kind"] in kinds and row["totalMj"] < mode["totalMj"] and row[error] < mode[error]]


def halves(rows, error):
    """Of every published rule: the cheapest mode that is as good, and its share of the energy; none where no mode is."""
    found = []
    for rule in of_kind(rows, "published"):
        modes = [mode for mode in of_kind(rows, "policy") if mode[error] <= rule[error] * EQUAL]
        best = min(modes, key=lambda mode: mode["totalMj"], default=None)
        found.append((rule, best, best["totalMj"] / rule["totalMj"] if best else None))
    return found


def cells(row, rows):
    beaten = "" if row["kind"] != "policy" else ", ".join(
        f"{word}: {', '.join(names)}" for word, error in (("line", "lineAtTimeCM"), ("off", "offLineCM"))
        if (names := rivals(row, rows, error, ("published", "strengthened")))) or "none"
    return [
        row["name"] + KINDS[row["kind"]], number(wh(row["totalMj"])), number(wh(row["receiverMj"])),
        number(wh(row["modemMj"])), number(row["receiverSec"] / 3_600), number(row["radioSec"] / 3_600),
        f"{row['points']:,}", f"{(row['bytesUp'] + row['bytesDown']) / 1e6:.2f}", metres(row["lineAtTimeCM"]),
        metres(row["offLineCM"]), metres(row["pinCM"]), str(row["missedTrips"]), str(row["falseTrips"]), beaten]


def line(values):
    return "| " + " | ".join(values) + " |\n"


def half_line(name, found):
    parts = []
    for rule, mode, share in found:
        if mode is None:
            parts.append(f"{rule['name']}: no mode is as good")
        else:
            parts.append(f"{rule['name']}: {'kept' if share <= 0.5 else 'missed'}, {share:.3g} ({mode['name']})")
    return f"- by *{name}*: " + "; ".join(parts) + "\n"


def section(life, rows):
    """A life, its table and what it comes to."""
    hours = rows[0]["durationSec"] / 3_600
    text = f"### {life['life'].capitalize()}\n\n"
    text += f"{life['summary'][0].upper()}{life['summary'][1:]}: {rows[0]['trips']} trips in {hours:,.0f} h.\n\n"
    text += line(["", "Wh", "receiver", "modem", "on, h", "radio, h", "points", "MB", "line, m", "off, m", "pin, m",
                  "missed", "false", "beaten by"])
    text += "|---|" + "---:|" * 12 + "---|\n"
    text += "".join(line(cells(row, rows)) for kind in KINDS for row in of_kind(rows, kind))
    text += "\nHalf, against the published rules:\n\n"
    text += half_line("line", halves(rows, "lineAtTimeCM")) + half_line("off", halves(rows, "offLineCM"))
    return text + "\n"


def result(found):
    text = "## Result\n\n| Life | Modes that no published rule beats, by line | by off | Half kept, by line | by off |\n"
    text += "|---|---|---|---|---|\n"
    for life, rows in found:
        modes = of_kind(rows, "policy")
        values = [life["life"] + (" (parked nine tenths of the time or more)" if life["isParkedHeavy"] else "")]
        for error in ("lineAtTimeCM", "offLineCM"):
            beaten = [mode["name"] for mode in modes if rivals(mode, rows, error)]
            values.append(f"{len(modes) - len(beaten)} of {len(modes)}"
                          + (f"; misses: {', '.join(beaten)}" if beaten else ""))
        for error in ("lineAtTimeCM", "offLineCM"):
            shares = halves(rows, error)
            missed = [f"{rule['name']} ({f'{share:.3g}' if mode else 'no mode is as good'})"
                      for rule, mode, share in shares if mode is None or share > 0.5]
            values.append(f"{len(shares) - len(missed)} of {len(shares)}"
                          + (f"; misses: {', '.join(missed)}" if missed else ""))
        text += line(values)
    return text + "\n"


def page(found):
    lives = "".join(section(life, rows) for life, rows in found)
    return (HEAD + result(found) + FINDINGS + "## The lives\n\nWh without board and idle modem; `*` is strengthened.\n\n"
            + lives + NOTES).rstrip() + "\n"
