import TrackerModel

/// How long no valid fix was received, and why (spec capture §10.3). Judging has no part in it: a parked tracker that
/// stores nothing for hours has no gap.
struct GapWatch {
    /// Both must be reached for a gap.
    static let gapMillis: Int64 = 600_000
    static let gapDistanceM = 250.0

    /// The last valid fix: on the boot clock while that counts, and its UTC for the time across a reboot.
    private(set) var lastAt: Instant?
    private(set) var lastTime: UTCTime?
    private var interruption: GapCause?
    private var isSilent = false
    private var isOff = false
    private var wasSilent = false
    private var wasOff = false
    /// The silence that ended with the last valid fix was a rest of the receiver.
    private(set) var wasRest = false
    /// The longest silence since the last stored point.
    private var worstMillis: Int64 = 0
    private var worstCause = GapCause.sky

    /// Continues after a restart of the daemon, or of the board.
    mutating func resume(at instant: Instant?, time: UTCTime?, isSameBoot: Bool) {
        lastAt = isSameBoot ? instant : nil
        lastTime = time
        interruption = isSameBoot ? .process : .reboot
    }

    /// The clock restarted: what was seen before counts by its UTC only.
    mutating func rebooted() {
        lastAt = nil
        interruption = .reboot
    }

    mutating func receiverChanged(_ state: ReceiverState) {
        isSilent = state == .silent || state == .off
        wasSilent = wasSilent || isSilent
    }

    /// The receiver was switched off to save energy, or on again.
    mutating func receiverPowered(_ isOn: Bool) {
        isOff = !isOn
        wasOff = wasOff || isOff
    }

    /// Takes a valid fix; returns the silence before it in seconds. `sinceStored`: when nothing else is known.
    mutating func received(_ fix: TrackFix, sinceStored: Double) -> Double {
        var silence = sinceStored
        if let lastAt {
            silence = max(0, fix.instant.seconds(since: lastAt))
        } else if let lastTime, let time = fix.time {
            silence = max(0, Double(time.millis(since: lastTime)) / 1_000)
        }
        let millis = Int64((min(silence, 1e12) * 1_000).rounded())
        if millis > worstMillis {
            worstMillis = millis
            worstCause = interruption ?? (wasOff ? .powerSave : wasSilent ? .receiver : .sky)
        }
        wasRest = wasOff && interruption == nil
        lastAt = max(fix.instant, lastAt ?? fix.instant)
        lastTime = fix.time ?? lastTime
        interruption = nil
        wasSilent = isSilent
        wasOff = isOff
        return silence
    }

    /// A point is stored `distanceM` from the one before it: the longest silence since then, and its cause if it was a
    /// gap. The next point begins anew, so that a gap is told once.
    mutating func stored(distanceM: Double?) -> (silenceMillis: Int64, cause: GapCause?) {
        defer { worstMillis = 0 }
        let isGap = worstMillis >= Self.gapMillis && (distanceM ?? 0) >= Self.gapDistanceM
        return (worstMillis, isGap ? worstCause : nil)
    }
}
