import TrackerModel

/// Groups navigation messages into epochs by their time of week and closes each at the right moment: when all that
/// this receiver regularly sends is in, when the receiver says that it is, when another time of week arrives, or at
/// its deadline (spec capture §2.2).
struct UBXEpochAssembler {
    /// After the first byte of the epoch (spec capture §2.2).
    private static let longestWaitMillis: Int64 = 150
    /// Without NAV-PVT the parts of an epoch take longer than that at 9 600 baud: such an epoch stays open while the
    /// line goes on talking. A line is idle after this long without a byte.
    private static let idleMillis: Int64 = 50
    /// By then the next epoch of a 1 Hz receiver is due.
    private static let longestBurstMillis: Int64 = 900
    /// So many epochs make a habit.
    private static let memory = 3

    private let config: GNSSDecoderConfig
    /// The epoch whose messages come in; without one the last that was closed, not to be used.
    private var open = UBXEpoch(iTOW: 0, firstByteAt: .zero, lastByteAt: .zero)
    private var isOpen = false
    private var closed: ClosedUBXEpoch?
    private var recent: [UBXParts] = []
    /// What came in each of them.
    private var expected: UBXParts = []
    /// Between GPS time and UTC; `nil` until the receiver knows them.
    private var leapSeconds: Int8?
    private var frozen = FrozenPositionWatch()
    private var lastByteAt = Instant.zero

    init(config: GNSSDecoderConfig) {
        self.config = config
        recent.reserveCapacity(Self.memory + 1)
    }

    /// When the open epoch must be closed though something is missing; `.never` without one.
    @inline(__always)
    var deadline: Instant {
        guard isOpen else { return .never }
        let wait = open.firstByteAt.advanced(byMillis: Self.longestWaitMillis)
        if open.parts.contains(.pvt) { return wait }
        let patient = max(wait, lastByteAt.advanced(byMillis: Self.idleMillis))
        return min(patient, open.firstByteAt.advanced(byMillis: Self.longestBurstMillis))
    }

    /// Bytes arrived, of whatever kind: the line is talking.
    mutating func noteBytes(at instant: Instant) { lastByteAt = instant }

    /// Takes one message; its first byte was read at `startedAt`, its last at `instant`.
    mutating func accept(
        _ message: UBXMessage, startedAt: Instant, at instant: Instant, _ timekeeper: inout GNSSTimekeeper,
        _ gate: inout EpochGate, _ counters: inout GNSSCounters, _ emit: (GNSSOutput) -> Void
    ) {
        if case .endOfEpoch(let iTOW) = message {
            if isOpen, open.iTOW == iTOW { close(at: instant, &timekeeper, &gate, &counters, emit) }
            return
        }
        guard let part = message.part else { return }
        if !isOpen || open.iTOW != message.iTOW {
            close(at: instant, &timekeeper, &gate, &counters, emit)
            if var closed, closed.iTOW == message.iTOW, !closed.isContradicted(by: message) {
                if closed.repeats(part) { counters.duplicateEpochs += 1 }
                if closed.isStalled(at: instant) { emit(.diagnostic("gnss_time_stalled")) }
                closed.parts.insert(part)
                self.closed = closed
                return
            }
            learn()
            open = UBXEpoch(iTOW: message.iTOW, firstByteAt: startedAt, lastByteAt: instant)
            isOpen = true
        }
        open.add(message)
        open.lastByteAt = instant
        if isComplete { close(at: instant, &timekeeper, &gate, &counters, emit) }
    }

    /// Closes the open epoch if its deadline has come.
    mutating func expire(
        at instant: Instant, _ timekeeper: inout GNSSTimekeeper, _ gate: inout EpochGate,
        _ counters: inout GNSSCounters, _ emit: (GNSSOutput) -> Void
    ) {
        if instant >= deadline { close(at: instant, &timekeeper, &gate, &counters, emit) }
    }

    /// Closes the open epoch with what it has.
    mutating func close(
        at instant: Instant, _ timekeeper: inout GNSSTimekeeper, _ gate: inout EpochGate,
        _ counters: inout GNSSCounters, _ emit: (GNSSOutput) -> Void
    ) {
        guard isOpen else { return }
        isOpen = false
        guard open.parts.isSolution else { return }
        let hasFix = open.hasFix
        closed = ClosedUBXEpoch(open, hadFix: hasFix)
        if let gps = open.timeGPS, gps.valid & 4 != 0 { leapSeconds = gps.leapSeconds }
        let claim = open.timeClaim(leapSeconds: leapSeconds)
        let time = timekeeper.resolve(claim, hasFix: hasFix, at: open.firstByteAt) { emit(.diagnostic($0)) }
        if let fix = open.fix(time: time, config: config) {
            counters.epochsWithFix += 1
            let isFrozen = frozen.observe(fix.coordinate, speedMps: fix.speedMps, at: fix.instant)
            if isFrozen { emit(.diagnostic("gnss_position_frozen")) }
            if gate.admits(isFix: true, time: time, from: .ubx, at: instant) { emit(.fix(fix)) }
        } else {
            counters.noFixEpochs += 1
            let isNew = gate.admits(isFix: false, time: time, from: .ubx, at: instant)
            if isNew { emit(.noFix(time: time, at: open.firstByteAt)) }
        }
    }

    /// NAV-PVT is complete in itself, but what came in each of the last epochs is waited for. Without NAV-PVT only the
    /// habit tells.
    private var isComplete: Bool {
        let parts = open.parts
        guard isOpen, parts.isSolution else { return false }
        guard parts.contains(.pvt) || recent.count == Self.memory else { return false }
        return parts.isSuperset(of: expected)
    }

    /// Once for each epoch, when its latecomers are in.
    private mutating func learn() {
        guard let parts = closed?.parts, closed?.isLearned == false else { return }
        closed?.isLearned = true
        recent.append(parts)
        if recent.count > Self.memory { recent.removeFirst() }
        expected = recent.reduce(parts) { $0.intersection($1) }
    }
}

/// What is remembered of an epoch after it was handed out.
private struct ClosedUBXEpoch {
    /// A clock that stands still for longer is reported (spec capture §2.2).
    private static let stallMillis: Int64 = 5_000

    let iTOW: UInt32
    let hadFix: Bool
    /// Latecomers included.
    var parts: UBXParts
    var isLearned = false
    private let since: Instant
    private var isReported = false

    init(_ epoch: UBXEpoch, hadFix: Bool) {
        iTOW = epoch.iTOW
        self.hadFix = hadFix
        parts = epoch.parts
        since = epoch.firstByteAt
    }

    /// The same solution once more: the receiver's clock stands still, or it is a polled copy.
    func repeats(_ part: UBXParts) -> Bool { parts.contains(part) && (part == .pvt || part == .sol) }

    /// A fix that is lost or found must be heard although the clock stands still (F-02).
    func isContradicted(by message: UBXMessage) -> Bool {
        guard let part = message.part, repeats(part) else { return false }
        return !hadFix || !message.claimsFix
    }

    /// True once, when this time of week has lasted too long.
    mutating func isStalled(at instant: Instant) -> Bool {
        guard !isReported, instant.millis(since: since) > Self.stallMillis else { return false }
        isReported = true
        return true
    }
}
