import TrackerModel

/// Jamming and spoofing as the receiver reports them, and what they do to a fix.
struct UBXInterference {
    /// Of 255 (spec capture §2.5).
    private static let jammedFrom = 200
    /// It must last (spec capture §2.5).
    private static let jammedMillis: Int64 = 10_000
    /// A report is not believed for longer: a receiver that restarted may never send another.
    private static let reportMillis: Int64 = 60_000
    /// Spoofing is indicated from here on (spec capture §2.4 row 3).
    private static let spoofedFrom = 2

    private var jammedSince: Instant?
    private var jammedAt = Instant.zero
    private var isJammed = false
    /// The newest state of NAV-STATUS and of SEC-SIG; the worse counts.
    private var spoofing: (status: Int?, signal: Int?)
    private var isSpoofed = false

    enum SpoofingReport { case status, signal }

    /// The indicator of MON-HW or MON-RF, 0…255.
    mutating func noteJamming(_ indicator: Int, at instant: Instant, _ emit: (GNSSOutput) -> Void) {
        guard indicator >= Self.jammedFrom else {
            (jammedSince, isJammed) = (nil, false)
            return
        }
        if jammedSince == nil || instant.millis(since: jammedAt) > Self.reportMillis {
            (jammedSince, isJammed) = (instant, false)
        }
        jammedAt = instant
        guard !isJammed, let jammedSince, instant.millis(since: jammedSince) >= Self.jammedMillis else { return }
        isJammed = true
        emit(.diagnostic("gnss_jamming"))
    }

    /// A state of 0…3; emits the new health when the worse of both reports changed.
    mutating func noteSpoofing(_ state: Int, from report: SpoofingReport, _ emit: (GNSSOutput) -> Void) {
        let before = worstSpoofing
        switch report {
        case .status: spoofing.status = state
        case .signal: spoofing.signal = state
        }
        let worst = worstSpoofing
        guard worst != before else { return }
        emit(.health(ReceiverHealth(spoofing: worst)))
        let wasSpoofed = isSpoofed
        isSpoofed = worst ?? 0 >= Self.spoofedFrom
        if isSpoofed, !wasSpoofed { emit(.diagnostic("gnss_spoofing")) }
    }

    private var worstSpoofing: Int? {
        switch (spoofing.status, spoofing.signal) {
        case (let first?, let second?): max(first, second)
        case (let first, let second): first ?? second
        }
    }

    /// Emits the output, a fix with twice the radius while jammed, and marked while spoofed.
    @inline(__always)
    func pass(_ output: GNSSOutput, at instant: Instant, _ emit: (GNSSOutput) -> Void) {
        guard isJammed || isSpoofed, case .fix(var fix) = output else { return emit(output) }
        if isJammed, instant.millis(since: jammedAt) <= Self.reportMillis {
            fix.accuracyM = min(fix.accuracyM * 2, 10_000)
        }
        if isSpoofed { fix.isMock = true }
        emit(.fix(fix))
    }
}

/// Antenna and jamming of MON-HW and MON-RF, spoofing of SEC-SIG.
enum UBXCondition {
    /// MON-HW; `nil` for an unknown length.
    static func health(ofHW payload: UnsafeRawBufferPointer) -> ReceiverHealth? {
        let jammingAt: Int
        switch payload.count {
        case 60: jammingAt = 45
        // u-blox 6 has eight more pins.
        case 68: jammingAt = 53
        default: return nil
        }
        return ReceiverHealth(
            antenna: antenna(state: payload.u1(20), power: payload.u1(21)), jamming: Int(payload.u1(jammingAt)))
    }

    /// MON-RF: the worst of all bands.
    static func health(ofRF payload: UnsafeRawBufferPointer) -> ReceiverHealth? {
        guard payload.count >= 4, payload.count == 4 + Int(payload.u1(1)) * 24 else { return nil }
        var health = ReceiverHealth()
        for start in stride(from: 4, to: payload.count, by: 24) {
            let state = antenna(state: payload.u1(start + 2), power: payload.u1(start + 3))
            if let state, state.severity > health.antenna?.severity ?? -1 { health.antenna = state }
            health.jamming = max(health.jamming ?? 0, Int(payload.u1(start + 16)))
        }
        return health
    }

    /// SEC-SIG; `nil` for an unknown version, or where spoofing detection is off.
    static func spoofing(ofSIG payload: UnsafeRawBufferPointer) -> Int? {
        guard payload.count >= 4 else { return nil }
        switch payload.u1(0) {
        case 1 where payload.count >= 12: return payload.u1(8) & 1 != 0 ? min(3, Int(payload.u1(8) >> 1 & 7)) : nil
        case 2: return payload.u1(1) & 8 != 0 ? Int(payload.u1(1) >> 4 & 3) : nil
        default: return nil
        }
    }

    private static func antenna(state: UInt8, power: UInt8) -> AntennaState? {
        switch state {
        case 3: .short
        case 4: .open
        case _ where power == 0: .off
        case 2: .ok
        default: nil
        }
    }
}

extension AntennaState {
    fileprivate var severity: Int {
        switch self {
        case .ok: 0
        case .off: 1
        case .open: 2
        case .short: 3
        }
    }
}
