import TrackerModel

/// Makes outputs of the frames of a u-blox receiver.
struct UBXDecoder {
    private(set) var interference = UBXInterference()
    private var epochs: UBXEpochAssembler
    private var dop: UBXMessage.DOP?
    /// Receivers that send NAV-SAT may send NAV-SVINFO too: one sky is enough.
    private var sendsSAT = false
    /// Of the last sky. While nobody else keeps it, its memory is used for the next one.
    private var satellites: [SatelliteInView] = []

    init(config: GNSSDecoderConfig) {
        epochs = UBXEpochAssembler(config: config)
        satellites.reserveCapacity(Self.usualSatellites)
    }

    /// As many as any receiver tracks; a message could list 84.
    private static let usualSatellites = 72

    /// When the open epoch must be closed though something is missing; `.never` without one.
    @inline(__always)
    var deadline: Instant { epochs.deadline }

    mutating func noteBytes(at instant: Instant) { epochs.noteBytes(at: instant) }

    /// Takes one frame; its first byte was read at `startedAt`, its last at `instant`.
    mutating func accept(
        _ frame: UBXFrame, startedAt: Instant, at instant: Instant, _ timekeeper: inout GNSSTimekeeper,
        _ gate: inout EpochGate, _ counters: inout GNSSCounters, _ emit: (GNSSOutput) -> Void
    ) {
        counters.ubxFrames += 1
        if frame.messageClass == UBXMessage.navigationClass, frame.messageID != 0x30, frame.messageID != 0x35 {
            do throws(UBXMessageFault) {
                let message = try UBXMessage(id: frame.messageID, frame.payload)
                navigate(message, startedAt, instant, &timekeeper, &gate, &counters, emit)
            } catch {
                if case .malformed = error { counters.malformed += 1 }
            }
        } else if !report(frame, instant, emit) {
            counters.malformed += 1
        }
    }

    /// Closes the open epoch if its deadline has come.
    mutating func expire(
        at instant: Instant, _ timekeeper: inout GNSSTimekeeper, _ gate: inout EpochGate,
        _ counters: inout GNSSCounters, _ emit: (GNSSOutput) -> Void
    ) {
        let interference = interference
        epochs.expire(at: instant, &timekeeper, &gate, &counters) { interference.pass($0, at: instant, emit) }
    }

    /// Closes the open epoch with what it has.
    mutating func close(
        at instant: Instant, _ timekeeper: inout GNSSTimekeeper, _ gate: inout EpochGate,
        _ counters: inout GNSSCounters, _ emit: (GNSSOutput) -> Void
    ) {
        let interference = interference
        epochs.close(at: instant, &timekeeper, &gate, &counters) { interference.pass($0, at: instant, emit) }
    }

    private mutating func navigate(
        _ message: UBXMessage, _ startedAt: Instant, _ instant: Instant, _ timekeeper: inout GNSSTimekeeper,
        _ gate: inout EpochGate, _ counters: inout GNSSCounters, _ emit: (GNSSOutput) -> Void
    ) {
        switch message {
        case .status(let status): interference.noteSpoofing(Int(status.spoofing), from: .status, emit)
        case .dop(let new): dop = new
        default: break
        }
        let interference = interference
        epochs.accept(message, startedAt: startedAt, at: instant, &timekeeper, &gate, &counters) {
            interference.pass($0, at: instant, emit)
        }
    }

    /// - Returns: false when a message that is used here has an impossible content.
    private mutating func report(_ frame: UBXFrame, _ instant: Instant, _ emit: (GNSSOutput) -> Void) -> Bool {
        let payload = frame.payload
        switch (frame.messageClass, frame.messageID) {
        case (0x01, 0x35): return emitSky(UBXSky.list(ofSAT: payload, in: &satellites), isSAT: true, emit)
        case (0x01, 0x30): return emitSky(UBXSky.list(ofSVINFO: payload, in: &satellites), isSAT: false, emit)
        case (0x04, 0x00...0x04):
            if !payload.isEmpty { emit(.notice(payload.text(0..<payload.count))) }
            return true
        case (0x05, 0x00...0x01):
            return pass(UBXReply.acknowledgement(payload, isAccepted: frame.messageID == 1).map { .reply($0) }, emit)
        case (0x06, 0x00): return pass(UBXReply.port(ofPRT: payload).map { .reply($0) }, emit) || payload.count == 20
        case (0x06, 0x8B): return pass(UBXReply.port(ofVALGET: payload).map { .reply($0) }, emit) || !payload.isEmpty
        case (0x0A, 0x04): return pass(UBXIdentity.identity(payload).map { .identity($0) }, emit)
        case (0x0A, 0x09): return emitHealth(UBXCondition.health(ofHW: payload), instant, emit)
        case (0x0A, 0x38): return emitHealth(UBXCondition.health(ofRF: payload), instant, emit)
        case (0x27, 0x09):
            if let state = UBXCondition.spoofing(ofSIG: payload) {
                interference.noteSpoofing(state, from: .signal, emit)
            }
            return true
        default: return true
        }
    }

    private func pass(_ output: GNSSOutput?, _ emit: (GNSSOutput) -> Void) -> Bool {
        guard let output else { return false }
        emit(output)
        return true
    }

    private mutating func emitHealth(
        _ health: ReceiverHealth?, _ instant: Instant, _ emit: (GNSSOutput) -> Void
    ) -> Bool {
        guard let health else { return false }
        emit(.health(health))
        if let jamming = health.jamming { interference.noteJamming(jamming, at: instant, emit) }
        return true
    }

    private mutating func emitSky(_ isWhole: Bool, isSAT: Bool, _ emit: (GNSSOutput) -> Void) -> Bool {
        guard isWhole else { return false }
        sendsSAT = sendsSAT || isSAT
        guard isSAT || !sendsSAT else { return true }
        var sky = SkyView(satellites: satellites)
        sky.pdop = dop.flatMap { Self.known($0.pdopE2) }
        sky.hdop = dop.flatMap { Self.known($0.hdopE2) }
        sky.vdop = dop.flatMap { Self.known($0.vdopE2) }
        emit(.sky(sky))
        return true
    }

    /// 99.99 is the mark of *unknown*.
    private static func known(_ hundredths: UInt16) -> Double? {
        (1..<9_900).contains(hundredths) ? Double(hundredths) / 100 : nil
    }
}
