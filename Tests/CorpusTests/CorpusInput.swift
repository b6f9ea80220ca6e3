import DeviceSimulator
import Recordings
import TrackerModel
import TrackerRuntime
import WireText

@testable import DeviceSimulator

/// What a plan puts in: recordings as text, or receiver bytes. A pure function of the plan.
struct CorpusInput {
    private static let weekMillis: Int64 = 604_800_000

    var fixes = ""
    var samples = ""
    var log: ReceiverLog?
    /// About the day, for a receiver whose week count has rolled over.
    var recordedOn: UTCTime?

    init(_ plan: CorpusPlan, folder: String) throws {
        switch plan.source {
        case .track: fixes = Self.lines(plan).joined()
        case .journey(let name):
            guard let journey = Journey(name, seed: plan.seed) else {
                throw CorpusPlan.Failure(description: "no journey \(name)")
            }
            log = try Self.log(journey, plan)
            if plan.weeksBack > 0 { recordedOn = journey.start }
        case .recording(let file): fixes = try CorpusFolder.text("\(folder)/\(file)")
        }
        samples = CorpusMotion(plan.motion, seed: plan.seed).samples.map { $0.json.text + "\n" }.joined()
    }

    func recording() throws -> MergedRecording {
        if let log { return try MergedRecording(logs: [log]) }
        return try MergedRecording(
            locations: [LocationReader(name: "fixes", Self.block(fixes))],
            motion: samples.isEmpty ? [] : [MotionReader(name: "samples", Self.block(samples))])
    }

    /// The same, read from the lines and written again.
    func rewritten() throws -> Self {
        var copy = self
        var reader = LocationReader(name: "fixes", Self.block(fixes))
        copy.fixes = ""
        while let line = try reader.next() { copy.fixes += line.json.text + "\n" }
        return copy
    }

    private static func block(_ text: String) -> RecordingBlocks {
        var rest: [UInt8]? = Array(text.utf8)
        return { () throws(RecordingFailure) -> [UInt8] in
            defer { rest = nil }
            return rest ?? []
        }
    }

    private static func lines(_ plan: CorpusPlan) -> [String] {
        var lines: [(second: Double, text: String)] = []
        var boot = 1
        var restart = 0.0
        var undatedUntil = -1.0
        var reboots = plan.reboots[...]
        for var fix in SimulatedTrack(plan.scenario, plan.noise, everyMillis: plan.everyMillis, seed: plan.seed) {
            let second = fix.instant.seconds(since: .zero)
            if let next = reboots.first, second >= next.at {
                guard second >= next.at + next.downSeconds else { continue }
                boot += 1
                // The kernel has taken 8 s to this first fix.
                restart = second - 8
                undatedUntil = second + next.undatedSeconds
                reboots = reboots.dropFirst()
            }
            fix.instant = Instant(nanos: fix.instant.nanos - Int64(restart * 1e9))
            if second < undatedUntil { fix.time = nil }
            lines.append((second, LocationLine(fix, bootID: "boot\(boot)").json.text + "\n"))
        }
        for late in plan.late {
            guard let index = lines.firstIndex(where: { $0.second >= late.second }) else { continue }
            lines.insert(lines.remove(at: index), at: min(lines.count, index + late.later))
        }
        return lines.map(\.text)
    }

    /// One chunk an epoch, a second apart; those of a stall come at its end.
    private static func log(_ journey: Journey, _ plan: CorpusPlan) throws -> ReceiverLog {
        var bytes: [UInt8] = []
        var index = ""
        var second = -1
        for line in String(decoding: journey.nmea(), as: UTF8.self).split(separator: "\r\n") {
            if line.hasPrefix("$GNGGA") {
                second += 1
                let stall = plan.stalls.first { $0.from <= Double(second) && Double(second) < $0.until }
                let at = 100 + (stall?.until ?? Double(second))
                index += "\(bytes.count) \(Int64(at * 1e9))\n"
            }
            bytes += Array((plan.weeksBack > 0 ? dated(String(line), plan.weeksBack) : line + "\r\n").utf8)
        }
        return try ReceiverLog(
            name: "journey", bytes: bytes, index: Array(index.utf8), indexName: "journey.idx")
    }

    /// The sentence with its date so many weeks back.
    private static func dated(_ line: String, _ weeks: Int) -> String {
        var fields = line.dropFirst().prefix { $0 != "*" }.split(separator: ",", omittingEmptySubsequences: false)
            .map(String.init)
        if fields[0] == "GNRMC", let date = Int(fields[9]) {
            let day = CivilTime(year: 2_000 + date % 100, month: date / 100 % 100, day: date / 10_000).utc
            fields[9] = NMEASentence.date(CivilTime(day.advanced(byMillis: -Int64(weeks) * weekMillis)))
        }
        return NMEASentence.line(fields)
    }
}
