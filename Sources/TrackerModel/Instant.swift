/// A reading of the monotonic boot-time clock (`CLOCK_BOOTTIME`), in nanoseconds since boot.
///
/// Counts through suspend and never steps. Only instants of the same boot may be compared; a boot is
/// named by its `bootID` (spec capture §1.1). Every interval, age, gate and timer uses this clock.
public struct Instant: Comparable, Hashable, Sendable {
    /// Nanoseconds since boot, ≥ 0.
    public var nanos: Int64

    public init(nanos: Int64) { self.nanos = nanos }
    public init(millis: Int64) { self.nanos = millis * 1_000_000 }

    public static let zero = Instant(nanos: 0)
    /// Later than any reading: the deadline of a timer that is not set.
    public static let never = Instant(nanos: .max)

    public var millis: Int64 { nanos / 1_000_000 }

    public static func < (a: Instant, b: Instant) -> Bool { a.nanos < b.nanos }

    /// This instant moved by `millis` (negative: earlier), saturating at `.never`.
    public func advanced(byMillis millis: Int64) -> Instant {
        advanced(byNanos: millis.multipliedSaturating(by: 1_000_000))
    }

    /// This instant moved by `nanos` (negative: earlier), saturating at `.never`.
    public func advanced(byNanos delta: Int64) -> Instant {
        let (sum, overflow) = nanos.addingReportingOverflow(delta)
        return overflow ? (delta > 0 ? .never : Instant(nanos: .min)) : Instant(nanos: sum)
    }

    /// Nanoseconds from `earlier` to this instant; negative when `earlier` is later.
    public func nanos(since earlier: Instant) -> Int64 {
        let (difference, overflow) = nanos.subtractingReportingOverflow(earlier.nanos)
        return overflow ? (nanos > earlier.nanos ? .max : .min) : difference
    }

    /// Milliseconds from `earlier` to this instant; negative when `earlier` is later.
    public func millis(since earlier: Instant) -> Int64 { nanos(since: earlier) / 1_000_000 }

    /// Seconds from `earlier` to this instant, for arithmetic inside a computation.
    public func seconds(since earlier: Instant) -> Double { Double(nanos(since: earlier)) / 1e9 }
}

extension Int64 {
    /// The product, or the nearest representable value when it does not fit.
    @usableFromInline func multipliedSaturating(by factor: Int64) -> Int64 {
        let (product, overflow) = multipliedReportingOverflow(by: factor)
        return overflow ? ((self > 0) == (factor > 0) ? .max : .min) : product
    }
}
