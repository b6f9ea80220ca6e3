import GNSSCodecs
import Ports
import TrackerEngine
import TrackerModel
import WireText

/// The receiver: what comes from it, and for the operator its sky, its bytes, its restart.
extension Runtime {
    /// Who looks at the sky looks again after some seconds.
    private static let skyIntervalMillis: Int64 = 10_000

    func makeReceiver() -> ReceiverLink {
        let receiver = ReceiverLink(
            stream: ports.stream,
            settings: ReceiverSettings(
                baud: config.gnssBaud, rateHz: config.gnssRateHz, configure: config.gnssConfigure,
                timeScale: host.timeScale, powerControl: config.powerControl),
            decoder: makeDecoder(lastTrusted: nil), reactor: ports.reactor,
            memory: ReceiverMemoryPlace(
                read: { [ports] in try? ports.store.state(.receiver) },
                write: { [ports] in try? ports.store.setState(.receiver, $0) }),
            onFix: { [unowned self] in fixArrived($0) },
            onChange: { [unowned self] in
                accountForDevices()
                step(.receiverChanged($0))
                emit(.providerChange($0))
            },
            onDiagnostic: { [unowned self] in emit(.diagnostic($0)) })
        receiver.onBytes = { [unowned self] in bytesArrived($0) }
        return receiver
    }

    func fixArrived(_ received: TrackFix) {
        let fix = pulses.place(received)
        publish(fix)
        // A simulated or spoofed receiver does not set this device's clock, unless simulated fixes count as real.
        if let time = fix.time, !fix.isMock || config.capture.mockPolicy == .allow {
            clock = (time, fix.instant)
            clockSkew.compare(time, wallNow: ports.reactor.wall, fix, at: ports.reactor.now).map(diagnose)
        }
        offerTime(of: fix)
        if !listensToReceiver, !hasRecordedFix {
            hasRecordedFix = true
            accountForDevices()
        }
        accelerometer?.speedMeasured(by: fix)
        recordedSamples?.speedMeasured(by: fix)
        fences.fixArrived(fix)
        step(endsReceiverSearch(fix) ? .fixOffered(fix) : .fixDetermined(fix))
    }

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
