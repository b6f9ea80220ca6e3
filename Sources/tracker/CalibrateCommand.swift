import CLinux
import GNSSCodecs
import Glibc
import LinuxIO
import TrackerGeo
import TrackerModel
import WireText

/// `gnss calibrate`: how often a surveyed truth lies inside k × the accuracy radius, and the scale that would put 68 %
/// inside 1 × (spec capture §3).
enum CalibrateCommand {
    /// Fewer fixes than this give a scale that the next hour contradicts.
    private static let meaningfulCount = 300

    static func run(_ arguments: Arguments) throws(DaemonConnection.Failure) -> Int32 {
        guard let truth = arguments.value("--point").flatMap(positions) else {
            Terminal.complain("tracker gnss calibrate: --point LAT,LON is missing or is no position\n")
            return ExitStatus.usage
        }
        var calibration = AccuracyCalibration(truth: truth)
        if arguments.operands.isEmpty {
            guard let minutes = arguments.value("--minutes").flatMap({ Double($0) }), minutes > 0, minutes <= 10_000
            else {
                Terminal.complain("tracker gnss calibrate: name recordings, or --minutes N to listen to the daemon\n")
                return ExitStatus.usage
            }
            try listen(DaemonConnection(arguments), minutes: minutes, &calibration)
        } else {
            for path in arguments.operands {
                do throws(SystemFailure) {
                    let bytes = try AtomicFile.read(path: path, limit: Int(Int32.max))
                    feed(PacedLog(bytes), &calibration)
                } catch {
                    throw .refused("\(error); name readable recordings")
                }
            }
        }
        return report(calibration)
    }

    /// `47.1,8.2` or `47.1,8.2;47.2,8.3`.
    private static func positions(_ text: String) -> [Coordinate]? {
        let points = text.split(separator: ";").map { pair -> Coordinate? in
            let parts = pair.split(separator: ",").compactMap { Double($0) }
            guard parts.count == 2 else { return nil }
            let position = Coordinate(latitude: parts[0], longitude: parts[1])
            return position.isValid ? position : nil
        }
        return points.isEmpty || points.contains(nil) ? nil : points.compactMap { $0 }
    }

    private static func feed(_ log: PacedLog, _ calibration: inout AccuracyCalibration) {
        var decoder = GNSSDecoder(config: GNSSDecoderConfig())
        var fixes: [TrackFix] = []
        func take(_ output: GNSSOutput) { if case .fix(let fix) = output { fixes.append(fix) } }
        for chunk in log.chunks {
            decoder.feed(Array(log.bytes[chunk.range]), at: Instant(millis: chunk.offsetMillis), take)
        }
        decoder.finish(take)
        for fix in fixes { calibration.add(fix.coordinate, accuracyM: fix.accuracyM) }
    }

    private static func listen(
        _ daemon: DaemonConnection, minutes: Double, _ calibration: inout AccuracyCalibration
    ) throws(DaemonConnection.Failure) {
        let end = linux_clock_nanos(CLOCK_BOOTTIME) + Int64(minutes * 60e9)
        var decoder = GNSSDecoder(config: GNSSDecoderConfig())
        var collected = calibration
        try daemon.follow("gnss.raw") { data in
            let now = linux_clock_nanos(CLOCK_BOOTTIME)
            if let bytes = data["hex"]?.stringValue.flatMap(Hex.bytes) {
                decoder.feed(bytes, at: Instant(nanos: now)) { output in
                    if case .fix(let fix) = output { collected.add(fix.coordinate, accuracyM: fix.accuracyM) }
                }
            }
            return now < end
        }
        calibration = collected
    }

    private static func report(_ calibration: AccuracyCalibration) -> Int32 {
        guard let scale = calibration.scale else {
            Terminal.complain("tracker gnss calibrate: no fix with an accuracy was seen\n")
            return ExitStatus.refused
        }
        var page = "fixes            \(calibration.count)\n"
        for factor in AccuracyCalibration.factors {
            let share =
                calibration.share(within: factor).flatMap { JSONValue.decimal($0 * 100, places: 1)?.text } ?? "-"
            page += "inside \(factor) × radius  \(share) %\n"
        }
        let text = JSONValue.decimal(scale, places: 2)?.text ?? "-"
        page += "68 % are inside \(text) × radius: multiply gnss.hAccScale (UBX) or gnss.uereM (HDOP) with it\n"
        if calibration.count < meaningfulCount {
            page += "only \(calibration.count) fixes: take an hour of them before changing anything\n"
        }
        Terminal.print(page)
        return ExitStatus.ok
    }
}
