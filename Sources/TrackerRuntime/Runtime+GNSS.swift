import GNSSCodecs
import Ports
import TrackerEngine
import TrackerModel
import WireText

/// The receiver for the operator: its sky, its bytes, its restart.
extension Runtime {
    /// Who looks at the sky looks again after some seconds.
    private static let skyIntervalMillis: Int64 = 10_000

    /// A decoder as the configuration wants it; what was stored last is the newest time that was ever trusted.
    func makeDecoder(lastTrusted: UTCTime?) -> GNSSDecoder {
        var settings = GNSSDecoderConfig(uereM: config.uereM, outputLatencyMillis: config.outputLatencyMillis)
        settings.hAccScale = config.hAccScale
        settings.skyIntervalMillis = Self.skyIntervalMillis
        settings.buildDate = host.buildDate ?? .buildDate
        settings.lastTrusted = lastTrusted
        return GNSSDecoder(config: settings)
    }

    /// `gnss status` and `gnss sky`: what the receiver is, and its satellites when it has reported them.
    var gnssStatus: JSONValue {
        var status: JSONObject = ["receiver": .object(receiverStatus)]
        if let sky = receiver.sky {
            var object = sky.view.json
            object["ageSec"] = .fixed(max(0, ports.reactor.now.millis(since: sky.at)), places: 3)
            status["sky"] = .object(object)
        }
        return .object(status)
    }

    /// Every read, for those who follow and for the log of raw bytes.
    func bytesArrived(_ bytes: [UInt8]) {
        ports.rawLog?.append(bytes, at: ports.reactor.now)
        hub.publish(.gnssRaw, atMillis: ports.reactor.wall.time.millis) {
            ["hex": .string(Hex.text(bytes)), "u": .fixed(ports.reactor.now.nanos, places: 9)]
        }
    }

    /// - Parameter mode: `hot`, `warm` or `cold`.
    func resetReceiver(_ mode: String) -> ReceiverResetResult {
        let start: ReceiverCommand.Start
        switch mode {
        case "hot": start = .hot
        case "warm": start = .warm
        case "cold": start = .cold
        default: return .refused("'\(mode)' is none of hot, warm, cold")
        }
        if let reason = power.machine.receiverHoldReason { return .refused("the receiver is held: \(reason)") }
        let result = wakeReceiver() ?? receiver.reset(start)
        if case .done = result { step(.receiverReset) }
        return result
    }
}
