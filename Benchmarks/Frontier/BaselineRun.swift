import DeviceSimulator
import SyncEngine
import TrackerEngine
import TrackerModel

/// A published rule, named; `isStrengthened`: with an upload or a rest that its makers do not publish.
public struct PublishedRule: Sendable {
    enum Upload: Sendable {
        /// Each point when it is made.
        case atOnce
        case every(seconds: Int)
        /// When the rule says so.
        case itself
    }

    public let name: String
    public let isStrengthened: Bool
    let upload: Upload
    let usesAccelerometer: Bool
    let make: @Sendable () -> any Baseline

    init(
        _ name: String, isStrengthened: Bool = false, _ upload: Upload, usesAccelerometer: Bool = false,
        _ make: @escaping @Sendable () -> any Baseline
    ) {
        self.name = name
        self.isStrengthened = isStrengthened
        self.upload = upload
        self.usesAccelerometer = usesAccelerometer
        self.make = make
    }

    /// Explained in the page, by `scripts/frontier`.
    public static let all = [
        PublishedRule("fixed 10 s", .atOnce) { FixedInterval(seconds: 10) },
        PublishedRule("fixed 60 s", .atOnce) { FixedInterval(seconds: 60) },
        PublishedRule("120 s in trips", .itself, usesAccelerometer: true) { TripLogger() },
        PublishedRule("100 m or 300 s", .atOnce) { SmartSend(metres: 100, seconds: 300) },
        PublishedRule("elastic 10 m", .atOnce, usesAccelerometer: true) {
            ElasticDistance(metres: 10, stopSeconds: 300)
        },
        PublishedRule("fixed 60 s, resting, batched", isStrengthened: true, .every(seconds: 300)) {
            FixedInterval(seconds: 60, rests: true)
        },
        PublishedRule("elastic 10 m, batched", isStrengthened: true, .every(seconds: 300), usesAccelerometer: true) {
            ElasticDistance(metres: 10, stopSeconds: 300)
        },
    ]
}

/// Runs a rule over a life: the same receiver, server and ledger as the tracker has.
struct BaselineRun {
    /// A first fix is taken when it is this good, or with what there is after ten seconds of worse ones.
    private static let goodM = 30.0
    private static let poorSeconds = 10

    private let life: Life
    private let rule: PublishedRule
    private var baseline: any Baseline
    private var receiver: SimulatedFixes
    private var ledger = EnergyLedger(Outcome.model, at: .zero)
    private var outcome = Outcome()
    private var queue: [TrackPoint] = []
    private var lastUpload = 0
    private var exchangeEnds: Instant?
    private var firstFixAt: Int?
    private var isSettled = false

    init(_ life: Life, _ rule: PublishedRule) {
        self.life = life
        self.rule = rule
        baseline = rule.make()
        receiver = SimulatedFixes(life.journey, seed: life.journey.seed)
        ledger.receiverIs(.acquiring, at: .zero)
        ledger.accelerometerIs(rule.usesAccelerometer ? .resting : .off, at: .zero)
    }

    mutating func run() -> Outcome {
        var motionEnds = Instant.zero
        var isShaken = false
        var wakeUps: Int64 = 0
        for second in 0..<life.durationSeconds {
            let now = Instant(millis: Int64(second) * 1_000)
            endExchange(now)
            if now >= motionEnds {
                let wasShaken = isShaken
                isShaken = life.journey.motion.activity(at: now) != .still
                motionEnds = life.journey.motion.end(at: now)
                if isShaken, !wasShaken { wakeUps += 1 }
            }
            if receiver.isOn {
                outcome.receiverOnSeconds += 1
                wakeUps += 1
            }
            let fix = usableFix(now, second)
            let wish = baseline.take(BaselineSecond(second: second, fix: fix, isShaken: isShaken))
            if wish.keepsFix, let fix { keep(fix, second) }
            if wish.uploads || isUploadDue(second) { upload(second) }
            power(wish.isReceiverOn, now)
        }
        ledger.worked(wakeUps: wakeUps + outcome.server.requests, cpuMillis: 0, at: .zero)
        ledger.settle(at: Instant(millis: Int64(life.durationSeconds) * 1_000))
        outcome.energy = ledger.run
        return outcome
    }

    private func isUploadDue(_ second: Int) -> Bool {
        switch rule.upload {
        case .atOnce: true
        case .every(let seconds): second - lastUpload >= seconds
        case .itself: false
        }
    }

    private mutating func usableFix(_ now: Instant, _ second: Int) -> SimulatedFixes.Fix? {
        guard let epoch = receiver.epoch(at: now) else {
            if receiver.isOn, ledger.receiver != .acquiring { ledger.receiverIs(.acquiring, at: now) }
            return nil
        }
        if ledger.receiver != .tracking { ledger.receiverIs(.tracking, at: now) }
        let since = firstFixAt ?? second
        firstFixAt = since
        if epoch.accuracyM <= Self.goodM || second - since >= Self.poorSeconds { isSettled = true }
        return isSettled ? epoch : nil
    }

    private mutating func power(_ isOn: Bool, _ now: Instant) {
        guard isOn != receiver.isOn else { return }
        if isOn {
            receiver.start(at: now)
            ledger.receiverIs(.acquiring, at: now)
        } else {
            receiver.stop(at: now)
            ledger.receiverIs(.backup, at: now)
            firstFixAt = nil
            isSettled = false
        }
    }

    private mutating func keep(_ fix: SimulatedFixes.Fix, _ second: Int) {
        outcome.points.append(
            TrackedPoint(second: Double(second), position: fix.position, accuracyM: fix.accuracyM))
        queue.append(TrackPoint(fix, second: second, number: outcome.points.count))
    }

    private mutating func upload(_ second: Int) {
        guard !queue.isEmpty, exchangeEnds == nil else { return }
        let now = Instant(millis: Int64(second) * 1_000)
        let body = NativeFormat().body(queue, maxBytes: .max).bytes
        let cost = outcome.server.exchange(bodyBytes: body.count, at: now)
        ledger.modemIs(.active, at: now)
        exchangeEnds = cost.end
        lastUpload = second
        queue = []
    }

    private mutating func endExchange(_ now: Instant) {
        guard let ends = exchangeEnds, ends <= now else { return }
        ledger.modemIs(.tail, at: ends)
        exchangeEnds = nil
    }
}

extension TrackPoint {
    /// With the fields that the tracker's own points have, so that it is as long.
    fileprivate init(_ fix: SimulatedFixes.Fix, second: Int, number: Int) {
        self.init(
            uuid: "00000000-0000-5000-8000-000000000000", sessionID: "life",
            time: Life.start.advanced(byMillis: Int64(second) * 1_000), instant: Instant(millis: Int64(second) * 1_000),
            bootID: "boot", localDate: "2026-05-04", timeZone: "UTC", latitudeE7: fix.position.latitudeE7,
            longitudeE7: fix.position.longitudeE7, accuracyMM: Int64(fix.accuracyM * 1_000), altitudeMM: 480_000,
            speedMMps: Int64(fix.speedMps * 1_000), bearingCentideg: 0, hasSpeed: true, hasBearing: false,
            provider: .gnss, isMock: false, movement: .moving, acceptReason: .burst, odometerMM: 0, batteryPercent: 80,
            isCharging: false)
    }
}
