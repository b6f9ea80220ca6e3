public import TrackerModel

/// One simulated chip at one address of a bus, with what goes wrong with it.
public struct ChipOnBus: Sendable {
    /// What a transfer gives.
    public enum Answer: Equatable, Sendable {
        case done([UInt8])
        /// Nobody has this address, or it does not answer.
        case notAcknowledged
        /// The bus is held low.
        case timedOut
    }

    private static let overrunMillis: Int64 = 10_000

    public let address: UInt8
    private var chip: any SimulatedChip
    private let faults: [ChipFault]
    /// The newest transfer, in the time of the chip.
    private var newest = Instant.zero

    /// - Parameter address: `nil`: the first of the model's.
    public init(
        _ model: SimulatedChipModel = .lis3dh, motion: any AccelerationSource, address: UInt8? = nil,
        faults: [ChipFault] = []
    ) {
        self.address = address ?? model.addresses[0]
        self.faults = faults + ((motion as? MotionScript)?.faults ?? [])
        chip = model.chip(FreezableSource(source: motion, frozen: faults.filter { $0.kind == .frozen }))
    }

    /// The interrupt line at script time `now`.
    public mutating func isInterrupting(at now: Instant) -> Bool {
        chip.advance(to: chipTime(now))
        return chip.isInterrupting
    }

    /// Reads from or writes (`value`) to a register at script time `now`, which must not go back.
    public mutating func transfer(
        to address: UInt8, _ register: UInt8, count: Int, value: UInt8? = nil, at now: Instant
    ) -> Answer {
        if isActive(.stuck, now) { return .timedOut }
        guard address == self.address, !isActive(.nak, now) else { return .notAcknowledged }
        let time = chipTime(now)
        if let value {
            chip.write(register, value, at: time)
            return .done([])
        }
        var bytes = chip.read(register, count: count, at: time)
        if register == chip.identityRegister, isActive(.wrongID, now) { bytes[0] ^= 0xFF }
        return .done(bytes)
    }

    private func isActive(_ kind: ChipFault.Kind, _ now: Instant) -> Bool {
        faults.contains { $0.kind == kind && $0.isActive(at: now) }
    }

    /// The chip's clock stands still in a silence and leaps in an overrun.
    private mutating func chipTime(_ now: Instant) -> Instant {
        var time = now
        for fault in faults where fault.at <= now {
            switch fault.kind {
            case .overrun: time = time.advanced(byMillis: Self.overrunMillis)
            case .silent: time = time.advanced(byNanos: -min(now, fault.until).nanos(since: fault.at))
            default: break
            }
        }
        newest = max(newest, time)
        return newest
    }
}

/// A source whose value stands still in a fault.
private struct FreezableSource: AccelerationSource {
    let source: any AccelerationSource
    let frozen: [ChipFault]

    func acceleration(at time: Instant) -> Acceleration {
        source.acceleration(at: frozen.last { $0.isActive(at: time) }?.at ?? time)
    }
}

extension MotionScript {
    /// Its segments without an answer.
    var faults: [ChipFault] {
        var start: Int64 = 0
        return segments.enumerated().compactMap { index, segment in
            defer { start += segment.millis }
            guard segment.activity == .fault else { return nil }
            return ChipFault(.nak, atMillis: start, forMillis: index == segments.count - 1 ? nil : segment.millis)
        }
    }
}
