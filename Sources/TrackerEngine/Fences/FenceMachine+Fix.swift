import TrackerGeo
import TrackerModel

extension FenceMachine {
    /// A fix, whatever the pipeline makes of it: what the boundary refuses, and what is not newer than the last, is none.
    mutating func determined(_ raw: TrackFix, _ now: Instant, _ found: inout FenceFindings) {
        guard boundary.refusal(raw, at: now) == nil, let time = raw.time else { return }
        if let last, raw.instant <= last.moment.instant { return }
        let admitted = boundary.admitted(raw)
        let fix = FenceFix(
            moment: FenceMoment(time: time, instant: raw.instant), index: (last?.index ?? 0) + 1,
            coordinate: raw.coordinate, place: GeocentricPosition(raw.coordinate), accuracyM: admitted.accuracyM,
            speedMps: raw.speedMps)
        let step = last.map { FenceStep(from: $0, to: fix) }
        judgeNear(fix, step, &found)
        for number in inside { judge(number, fix, step, &found) }
        settle(fix)
        last = fix
        checkDwells(trusted: time.advanced(byMillis: now.millis(since: raw.instant)), now, &found)
    }

    private mutating func judgeNear(_ fix: FenceFix, _ step: FenceStep?, _ found: inout FenceFindings) {
        let isShort = step.map { $0.millis <= FenceStep.passableMillis } ?? false
        let start = isShort ? step?.from.coordinate ?? fix.coordinate : fix.coordinate
        guard let near = grid.slots(from: start, to: fix.coordinate) else {
            for number in Array(all) { judge(number, fix, step, &found) }
            return
        }
        for number in near { judge(number, fix, step, &found) }
    }

    /// What is not near is outside.
    private mutating func settle(_ fix: FenceFix) {
        for number in unknown where slots[number].evaluatedIndex != fix.index {
            slots[number].settleOutside(accuracyM: fix.accuracyM)
            if !slots[number].isUnknown { unknown.remove(number) }
        }
    }
}
