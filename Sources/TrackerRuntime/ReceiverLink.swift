import GNSSCodecs
import Ports
import TrackerModel

/// Keeps the receiver's line open and its bytes decoded: opens with back-off, notices silence, tells what is wrong.
final class ReceiverLink {
    /// No valid sentence for this long is silence: the line is closed and opened again (spec capture §2.2).
    static let silenceMillis: Int64 = 10_000
    /// Waits between attempts to open, the last one repeats (spec capture §2.2).
    static let backoffMillis: [Int64] = [1_000, 2_000, 5_000, 10_000, 30_000]
    /// A fix older than this is no fix: two to three epochs at 1 Hz (F-02).
    static let fixLifeMillis: Int64 = 3_000

    private let stream: any ByteStream
    private let reactor: any Reactor
    private let baud: Int
    private let onFix: (TrackFix) -> Void
    private let onChange: (ReceiverState) -> Void
    private var decoder: GNSSDecoder
    private var isOpen = false
    private var isStopped = true
    private var failures = 0
    private var retryTimer: TimerID?
    private var epochTimer: TimerID?
    private var silenceTimer: TimerID?
    private var bytesSinceOpen: Int64 = 0
    private var framesAtOpen: Int64 = 0
    private var lastFrames: Int64 = 0
    private var lastFrameAt = Instant.zero
    private var announced = ReceiverState.off

    private(set) var lastFix: TrackFix?
    private(set) var fixes: Int64 = 0
    /// What is wrong and what to do; `nil` while sentences arrive.
    private(set) var problem: String?

    init(
        stream: any ByteStream, baud: Int, decoder: GNSSDecoder, reactor: any Reactor,
        onFix: @escaping (TrackFix) -> Void, onChange: @escaping (ReceiverState) -> Void
    ) {
        self.stream = stream
        self.baud = baud
        self.decoder = decoder
        self.reactor = reactor
        self.onFix = onFix
        self.onChange = onChange
    }

    var counters: GNSSCounters { decoder.counters }
    var device: String { stream.name }
    var lineSpeed: Int { baud }
    var isLineOpen: Bool { isOpen }

    var state: ReceiverState {
        if isStopped { return .off }
        if !isOpen || problem != nil { return .silent }
        guard let lastFix, reactor.now.millis(since: lastFix.receivedAt) <= Self.fixLifeMillis else { return .noFix }
        return lastFix.mode == .twoD ? .fix2D : .fix3D
    }

    func start() {
        isStopped = false
        open()
    }

    func stop() {
        isStopped = true
        close()
        [retryTimer, silenceTimer].compactMap { $0 }.forEach(reactor.cancel)
    }

    private func open() {
        retryTimer = nil
        do throws(ByteStreamFailure) {
            try stream.open(baud: baud) { [unowned self] event in handle(event) }
        } catch {
            problem = "\(error.cause); \(error.remedy)"
            return retry()
        }
        isOpen = true
        bytesSinceOpen = 0
        framesAtOpen = decoder.counters.sentences
        lastFrameAt = reactor.now
        watchForSilence()
        announce()
    }

    private func close() {
        guard isOpen else { return }
        isOpen = false
        stream.close()
        epochTimer.map(reactor.cancel)
        epochTimer = nil
        decode { decoder, emit in decoder.finish(emit) }
    }

    private func retry() {
        announce()
        let wait = Self.backoffMillis[min(failures, Self.backoffMillis.count - 1)]
        failures += 1
        retryTimer = reactor.schedule(at: reactor.now.advanced(byMillis: wait), toleranceMillis: wait / 10) {
            [unowned self] in open()
        }
    }

    private func handle(_ event: ByteStreamEvent) {
        switch event {
        case .bytes(let bytes):
            bytesSinceOpen += Int64(bytes.count)
            decode { [reactor] decoder, emit in decoder.feed(bytes, at: reactor.now, emit) }
            noteFrames()
            armEpochTimer()
            announce()
        case .lost(let failure):
            problem = "\(failure.cause); \(failure.remedy)"
            close()
            silenceTimer.map(reactor.cancel)
            retry()
        }
    }

    private func noteFrames() {
        let frames = decoder.counters.sentences
        guard frames != lastFrames else { return }
        lastFrames = frames
        lastFrameAt = reactor.now
        problem = nil
        failures = 0
    }

    /// Steps the decoder, then acts on what came out: whoever hears of a fix may ask this object anything.
    private func decode(_ step: (inout GNSSDecoder, (GNSSOutput) -> Void) -> Void) {
        var outputs: [GNSSOutput] = []
        step(&decoder) { outputs.append($0) }
        outputs.forEach(take)
    }

    private func take(_ output: GNSSOutput) {
        switch output {
        case .fix(let fix):
            fixes += 1
            lastFix = fix
            onFix(fix)
        case .noFix: lastFix = nil
        case .sky, .health, .identity, .reply, .notice, .diagnostic: break
        }
    }

    private func armEpochTimer() {
        epochTimer.map(reactor.cancel)
        epochTimer = nil
        guard decoder.deadline < .never else { return }
        epochTimer = reactor.schedule(at: decoder.deadline, toleranceMillis: 0) { [unowned self] in
            epochTimer = nil
            decode { [reactor] decoder, emit in decoder.expire(at: reactor.now, emit) }
            armEpochTimer()
            announce()
        }
    }

    private func watchForSilence() {
        silenceTimer = reactor.schedule(
            at: lastFrameAt.advanced(byMillis: Self.silenceMillis), toleranceMillis: 500
        ) { [unowned self] in
            guard reactor.now.millis(since: lastFrameAt) >= Self.silenceMillis else { return watchForSilence() }
            problem = silenceProblem
            close()
            retry()
        }
    }

    /// Bytes without sentences and no bytes at all have different remedies.
    private var silenceProblem: String {
        if decoder.counters.sentences > framesAtOpen {
            return "the receiver on \(stream.name) fell silent; check its power and cable"
        }
        if bytesSinceOpen > 0 {
            return "\(bytesSinceOpen) bytes from \(stream.name) but no valid sentence at \(baud) bit/s; "
                + "set gnss.baud to the receiver's speed, and check that nothing else uses the port"
        }
        return
            "nothing arrives on \(stream.name) at \(baud) bit/s; check the receiver's power, and that its TX is on our RX"
    }

    private func announce() {
        let now = state
        guard now != announced else { return }
        announced = now
        onChange(now)
    }
}
