import TrackerModel

/// Finds the receiver's port and speed, and notices when they are right no more: events in, actions out, no clock.
///
/// A speed without a valid frame is left after a dwell; one with a valid frame is proven and kept for at least three
/// missed periods (spec capture §2.2, F-14). The caller answers `deadline` with `.timerFired`.
struct ReceiverFinder {
    /// Speeds of receivers, the usual ones first (spec capture §2.2, receiver manuals for the rest).
    static let rates = [9_600, 38_400, 115_200, 4_800, 57_600, 230_400, 460_800, 921_600]
    /// Valid frames that make a speed the right one (spec capture §2.2).
    static let framesToLock = 2
    /// No valid frame for this long is silence: the line is closed and opened again (spec capture §2.2).
    static let silenceMillis: Int64 = 10_000
    /// Waits between attempts to open, the last one repeats (spec capture §2.2).
    static let backoffMillis: [Int64] = [1_000, 2_000, 5_000, 10_000, 30_000]
    /// Periods without a frame before a proven speed is doubted (F-14).
    static let missedPeriods: Int64 = 3

    enum Event: Equatable {
        case started
        /// The line is open; `candidates` paths could have been.
        case opened(candidates: Int)
        case openFailed(candidates: Int)
        /// The open line went away.
        case lost
        /// A read returned bytes that completed so many valid frames.
        case bytes(frames: Int)
        /// The receiver was told to go on at this speed.
        case rateOrdered(Int)
        /// The line cannot be set to the speed asked for.
        case rateRefused
        /// The receiver was sent to sleep: its silence is none.
        case rested
        /// It was called, or does not sleep; the line may have been lost meanwhile.
        case woken(isOpen: Bool)
        case timerFired
    }

    enum Action: Equatable {
        /// Open the candidate of this number, modulo their count; answered with `.opened` or `.openFailed`.
        case open(candidate: Int, baud: Int)
        case setBaud(Int)
        case close
        case lock(baud: Int)
        case unlock
        case complain(Complaint)
    }

    enum Complaint: Equatable {
        /// No byte since the line was opened.
        case nothingHeard
        /// Bytes, but no valid frame.
        case onlyNoise
        /// Frames came, and then nothing.
        case fellSilent
    }

    enum State {
        case off
        case closed(retryAt: Instant)
        case opening
        case listening(ReceiverDwell)
        case locked(Watch)
        /// The receiver sleeps on purpose.
        case resting
    }

    /// What is known of a line at its right speed.
    struct Watch {
        var baud: Int
        var lastFrameAt: Instant
        var lastByteAt: Instant
        /// Since when there have been bytes without frames.
        var noiseSince: Instant?
    }

    var state = State.off
    /// The speeds of this sweep, in order.
    var order: [Int] = []
    /// Number of the candidate in this round of candidates, and how many there are.
    private var candidate = 0
    private(set) var candidateCount = 1
    private var failedRounds = 0
    /// Doublings of the dwell after sweeps without success: a receiver may speak once in many seconds.
    var widening = 0
    var hasHeardBytes = false
    var silentSince: Instant?
    var hasComplained = false
    let fixedBaud: Int?
    private(set) var lastGood: Int?
    /// The usual time between epochs, ms.
    private(set) var periodMillis: Int64 = 1_000

    /// - Parameters:
    ///   - fixedBaud: the only speed to use; `nil`: find it.
    ///   - lastGood: the speed that was right last time, tried first.
    init(fixedBaud: Int?, lastGood: Int?) {
        self.fixedBaud = fixedBaud
        self.lastGood = lastGood
    }

    var isLocked: Bool { if case .locked = state { true } else { false } }

    /// The speed of the line, or the one that will be tried first.
    var baud: Int {
        switch state {
        case .locked(let watch): watch.baud
        case .listening(let dwell): order[dwell.index]
        case .off, .closed, .opening, .resting: fixedBaud ?? lastGood ?? Self.rates[0]
        }
    }

    /// Notes how far apart epochs are; a receiver slower than 1 Hz is given more time.
    mutating func learn(periodMillis: Int64) { self.periodMillis = min(max(periodMillis, 1_000), 10_000) }

    mutating func stop() { state = .off }

    mutating func handle(_ event: Event, at now: Instant, into actions: inout [Action]) {
        switch event {
        case .started: open(into: &actions)
        case .opened(let candidates): opened(candidates, at: now)
        case .openFailed(let candidates):
            candidateCount = max(1, candidates)
            tryNextCandidate(at: now)
        case .lost:
            if case .resting = state { return }
            if isLocked { actions.append(.unlock) }
            closeRound(at: now)
        case .bytes(let frames): heard(frames, at: now, into: &actions)
        case .rateOrdered(let baud): order(baud, at: now, into: &actions)
        case .rateRefused:
            if case .listening(let dwell) = state { leave(dwell, at: now, into: &actions) }
        case .rested: state = .resting
        case .woken(let isOpen): woken(isOpen: isOpen, at: now, into: &actions)
        case .timerFired: timerFired(at: now, into: &actions)
        }
    }

    /// It may have forgotten its speed in its sleep: the last good one first, then all others.
    private mutating func woken(isOpen: Bool, at now: Instant, into actions: inout [Action]) {
        guard case .resting = state else { return }
        (hasComplained, failedRounds, widening) = (false, 0, 0)
        guard isOpen else { return open(into: &actions) }
        order = sweepOrder(first: lastGood.map { [$0] } ?? [])
        hasHeardBytes = false
        silentSince = now
        state = .listening(ReceiverDwell(index: 0, since: now))
        actions.append(.setBaud(order[0]))
    }

    private mutating func open(into actions: inout [Action]) {
        state = .opening
        order = sweepOrder(first: lastGood.map { [$0] } ?? [])
        actions.append(.open(candidate: candidate, baud: order[0]))
    }

    func sweepOrder(first: [Int]) -> [Int] {
        if let fixedBaud { return [fixedBaud] }
        return first + Self.rates.filter { !first.contains($0) }
    }

    private mutating func opened(_ candidates: Int, at now: Instant) {
        candidateCount = max(1, candidates)
        hasHeardBytes = false
        if candidate == 0 || silentSince == nil {
            silentSince = now
            hasComplained = false
        }
        state = .listening(ReceiverDwell(index: 0, since: now))
    }

    private mutating func heard(_ frames: Int, at now: Instant, into actions: inout [Action]) {
        switch state {
        case .off, .closed, .opening, .resting: break
        case .listening(var dwell):
            hasHeardBytes = true
            dwell.note(frames: frames, at: now)
            state = .listening(dwell)
            if dwell.frames >= Self.framesToLock { lock(order[dwell.index], at: now, into: &actions) }
        case .locked(var watch):
            watch.note(frames: frames, at: now, periodMillis: periodMillis)
            state = .locked(watch)
        }
    }

    private mutating func lock(_ baud: Int, at now: Instant, into actions: inout [Action]) {
        state = .locked(Watch(baud: baud, lastFrameAt: now, lastByteAt: now))
        lastGood = baud
        candidate = 0
        failedRounds = 0
        widening = 0
        silentSince = nil
        actions.append(.lock(baud: baud))
    }

    /// The receiver speaks at the ordered speed now, or has not obeyed: then the old one is next.
    private mutating func order(_ baud: Int, at now: Instant, into actions: inout [Action]) {
        guard case .locked(let watch) = state, fixedBaud == nil, baud != watch.baud else { return }
        order = sweepOrder(first: [baud, watch.baud])
        hasHeardBytes = false
        silentSince = now
        state = .listening(ReceiverDwell(index: 0, since: now))
        actions.append(.setBaud(baud))
    }

    /// The next candidate at once; after the last one a wait, and then the first again.
    mutating func tryNextCandidate(at now: Instant) {
        candidate += 1
        if candidate < candidateCount {
            state = .closed(retryAt: now)
        } else {
            closeRound(at: now)
        }
    }

    mutating func closeRound(at now: Instant) {
        candidate = 0
        let wait = Self.backoffMillis[min(failedRounds, Self.backoffMillis.count - 1)]
        failedRounds += 1
        state = .closed(retryAt: now.advanced(byMillis: wait))
    }

    private mutating func timerFired(at now: Instant, into actions: inout [Action]) {
        switch state {
        case .off, .opening, .resting: break
        case .closed(let retryAt): if now >= retryAt { open(into: &actions) }
        case .listening(let dwell): listened(dwell, at: now, into: &actions)
        case .locked(let watch): watched(watch, at: now, into: &actions)
        }
    }
}
