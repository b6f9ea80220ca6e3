import TestKit
import Testing
import TrackerModel

@testable import SyncEngine

@Suite("When an upload is worth a radio session")
struct UploadPolicyTests {
    static let now = Instant(millis: 100_000_000)
    static let free = LinkState.up(LinkPath("wlan0"))

    static func metered(_ quality: Int? = nil) -> LinkState {
        .up(LinkPath("wwan0", isMetered: true, quality: quality))
    }

    static func later(_ millis: Int64) -> Instant { now.advanced(byMillis: millis) }

    static func answer(
        rows: Int64 = 1, age: Int64? = 0, link: LinkState? = free, minBatch: Int64 = 0,
        _ change: (inout UploadSituation) -> Void = { _ in }
    ) -> UploadAnswer {
        var situation = UploadSituation(rows: rows, oldestAgeMillis: age, link: link)
        change(&situation)
        return UploadPolicy(minBatch: minBatch).answer(situation, at: now)
    }

    @Test(
        "Each tier has its age limits and its least batch (spec power §2, §6)",
        arguments: [
            (PowerTier.normal, 5, 60, 1), (.saver, 15, 240, 20), (.critical, 60, 720, 50), (.survival, 60, 720, 50),
            (.shutdown, 60, 720, 50),
        ] as [(PowerTier, Int64, Int64, Int64)])
    func tiers(tier: PowerTier, moving: Int64, still: Int64, rows: Int64) {
        #expect(UploadPolicy.ageLimitMillis(tier, isMoving: true) == moving * 60_000)
        #expect(UploadPolicy.ageLimitMillis(tier, isMoving: false) == still * 60_000)
        #expect(UploadPolicy().minRows(tier) == rows)
        #expect(UploadPolicy(minBatch: 7).minRows(tier) == 7, "the operator's number holds in every tier")
    }

    @Test(
        "The bar falls from 60 to 0 with age (rule 5)",
        arguments: [(0, 60), (1, 60), (75_000, 45), (150_000, 30), (299_999, 1), (300_000, 0), (400_000, 0), (-5, 60)]
            as [(Int64, Int)])
    func bar(age: Int64, required: Int) {
        #expect(UploadPolicy.requiredQuality(ageMillis: age, limitMillis: 300_000) == required)
    }

    @Test("Rule 1: what stands in the way stands in the way of everything")
    func barriers() {
        let wait = SyncBackoff.Wait(until: Self.later(30_000), isServerTime: false, reason: "status 500")
        let rows: [(UploadSituation.Barrier, UploadAnswer)] = [
            (.unconfigured, .never(.barrier(.unconfigured))), (.halted, .never(.barrier(.halted))),
            (.backoff(wait), .wait(until: Self.later(30_000), .barrier(.backoff(wait)))),
            (.clock, .wait(until: nil, .barrier(.clock))), (.metered, .wait(until: nil, .barrier(.metered))),
        ]
        for (barrier, expected) in rows {
            for urgency in [nil, UploadUrgency.fenceCrossing, .request] {
                for tier in PowerTier.allCases {
                    let found = Self.answer(age: 1_000_000_000) {
                        $0.barrier = barrier
                        $0.urgency = urgency
                        $0.tier = tier
                        $0.isCharging = true
                    }
                    #expect(found == expected, "\(barrier) \(tier)")
                }
            }
        }
    }

    @Test("Rule 2: what is urgent goes at once, at any quality and price, if a link can be had")
    func urgent() {
        for urgency in [UploadUrgency.fenceCrossing, .lowBattery, .trackingGap] {
            for link in [nil, Self.free, Self.metered(0), LinkState.captive(LinkPath("wwan0", isMetered: true))] {
                let found = Self.answer(link: link) {
                    $0.urgency = urgency
                    $0.tier = .critical
                    $0.spentForMillis = 1_000
                    $0.coalescedAt = Self.later(60_000)
                }
                #expect(found == .now(.urgent(urgency)))
            }
            for link in [LinkState.down, .noService, .registering] {
                #expect(Self.answer(link: link) { $0.urgency = urgency } == .wait(until: nil, .link))
            }
        }
        let asked = Self.answer(rows: 1, link: Self.metered(0)) {
            $0.urgency = .request
            $0.tier = .saver
            $0.coalescedAt = Self.later(20_000)
        }
        #expect(asked == .wait(until: Self.later(20_000), .coalescing), "the operator's request coalesces (sync §7)")
    }

    @Test("Rule 3: a charger or a free link is enough, once a coalescing interval")
    func free() {
        #expect(Self.answer() == .now(.free))
        #expect(Self.answer(link: nil) == .now(.free), "nobody watches the link")
        #expect(Self.answer(link: Self.metered(1)) { $0.isCharging = true } == .now(.free))
        let early = Self.answer { $0.coalescedAt = Self.later(40_000) }
        #expect(early == .wait(until: Self.later(40_000), .coalescing))
    }

    @Test("Rule 4: rows that have waited long enough go at any quality, however few")
    func old() {
        let limit: Int64 = 900_000
        for (age, isDue) in [(limit - 1, false), (limit, true), (limit * 9, true)] {
            let found = Self.answer(age: age, link: Self.metered(0)) {
                $0.tier = .saver
                $0.isMoving = true
            }
            #expect((found == .now(.old)) == isDue, "\(age)")
        }
    }

    @Test("Rule 5: below the bar it waits and looks again in a minute; what nobody measures holds nothing up")
    func quality() {
        let limit: Int64 = 3_600_000
        #expect(Self.answer(link: Self.metered(60)) == .now(.quality))
        #expect(Self.answer(link: Self.metered()) == .now(.quality))
        let weak = UploadWait.quality(59, of: 60, oldestAgeMillis: 0, limitMillis: limit)
        #expect(Self.answer(link: Self.metered(59)) == .wait(until: Self.later(60_000), weak))
        #expect(Self.answer(age: limit / 2, link: Self.metered(30)) == .now(.quality))
        let nearly = UploadWait.quality(0, of: 1, oldestAgeMillis: limit - 5_000, limitMillis: limit)
        #expect(Self.answer(age: limit - 5_000, link: Self.metered(0)) == .wait(until: Self.later(5_000), nearly))
    }

    @Test("Rule 6: too few rows wait until the oldest is due, on a free link too")
    func few() {
        for (tier, least, limit) in [(PowerTier.saver, 20, 14_400_000), (.critical, 50, 43_200_000)]
            as [(PowerTier, Int64, Int64)]
        {
            for link in [Self.free, Self.metered(100)] {
                let wait = UploadWait.rows(least - 1, of: least, oldestAgeMillis: 240_000, limitMillis: limit)
                let found = Self.answer(rows: least - 1, age: 240_000, link: link) { $0.tier = tier }
                #expect(found == .wait(until: Self.later(limit - 240_000), wait))
                let enough = Self.answer(rows: least, age: 240_000, link: link) { $0.tier = tier }
                #expect(enough == .now(link == Self.free ? .free : .quality))
            }
        }
        let own = Self.answer(rows: 11, minBatch: 12)
        #expect(own == .wait(until: Self.later(3_600_000), .rows(11, of: 12, oldestAgeMillis: 0, limitMillis: 3_600_000)))
    }

    @Test("A day's bytes that are spent leave only what is urgent, until midnight")
    func budget() {
        let spent = Self.answer(age: 1_000_000_000) {
            $0.spentForMillis = 5_000
            $0.isCharging = true
        }
        #expect(spent == .wait(until: Self.later(5_000), .budget))
    }

    @Test("survival: the newest point every six hours; shutdown: one attempt")
    func lowest() {
        func survival(_ began: Instant?) -> UploadAnswer {
            Self.answer(rows: 900, age: 1_000_000_000) {
                $0.tier = .survival
                $0.lastBegan = began
            }
        }
        #expect(survival(nil) == .now(.newest))
        #expect(survival(Self.later(-21_600_000)) == .now(.newest))
        #expect(survival(Self.later(-21_599_000)) == .wait(until: Self.later(1_000), .nextNewest))
        #expect(Self.answer { $0.tier = .shutdown } == .now(.newest))
        #expect(Self.answer(link: .down) { $0.tier = .shutdown } == .wait(until: nil, .link))
        let over = Self.answer {
            $0.tier = .shutdown
            $0.hasSaidGoodbye = true
            $0.urgency = .fenceCrossing
        }
        #expect(over == .never(.exhausted))
    }

    @Test("Every combination of tier, motion, charger, link, urgency, rows and age gets the answer of the rules")
    func everything() {
        let links: [LinkState?] = [
            nil, .down, .noService, .registering, Self.free, Self.metered(), Self.metered(10), Self.metered(90),
            .captive(LinkPath("wwan0", isMetered: true, quality: 90)),
        ]
        var count = 0
        for tier in PowerTier.allCases {
            for isMoving in [false, true] {
                for isCharging in [false, true] {
                    for link in links {
                        for urgency in [nil, UploadUrgency.trackingGap] {
                            for rows: Int64 in [0, 1, 19, 20, 49, 50] {
                                for quarter: Int64 in 0...4 {
                                    var situation = UploadSituation(rows: rows, link: link)
                                    situation.tier = tier
                                    situation.isMoving = isMoving
                                    situation.isCharging = isCharging
                                    situation.urgency = urgency
                                    let limit = UploadPolicy.ageLimitMillis(tier, isMoving: isMoving)
                                    situation.oldestAgeMillis = limit * quarter / 4
                                    let found = UploadPolicy().answer(situation, at: Self.now)
                                    #expect(found.isNow == Self.goes(situation, quarter), "\(situation)")
                                    count += 1
                                }
                            }
                        }
                    }
                }
            }
        }
        #expect(count == 10_800)
    }

    /// The rules once more, as one condition: nothing coalesced, spent or in the way.
    private static func goes(_ situation: UploadSituation, _ quarter: Int64) -> Bool {
        let path = situation.link?.path
        guard situation.rows > 0, situation.link == nil || path != nil else { return false }
        if situation.urgency != nil || situation.tier >= .survival || quarter == 4 { return true }
        let least: [PowerTier: Int64] = [.normal: 1, .saver: 20, .critical: 50]
        guard situation.rows >= least[situation.tier] ?? .max else { return false }
        if situation.isCharging || path?.isMetered != true { return true }
        return path?.quality.map { Int64($0) >= 60 - 15 * quarter } ?? true
    }

    @Test("An older row never waits longer, nor does one more row, a better link, a charger or a better tier", arguments: 1...20)
    func monotone(seed: Int) {
        var random = SeededRandom(seed: UInt64(seed))
        for _ in 0..<500 {
            let situation = Self.wild(&random)
            let due = Self.due(situation)
            func never(later change: (inout UploadSituation) -> Void, _ what: String) {
                var other = situation
                change(&other)
                #expect(Self.due(other) <= due, "seed \(seed), \(what): \(situation)")
            }
            never(later: { $0.oldestAgeMillis = ($0.oldestAgeMillis ?? 0) + Int64.random(in: 0...4_000_000, using: &random) }, "older")
            never(later: { $0.rows += Int64.random(in: 0...60, using: &random) }, "more rows")
            never(later: { $0.isCharging = true }, "charging")
            never(
                later: { situation in
                    guard case .up(var path) = situation.link, let quality = path.quality else { return }
                    path.quality = min(100, quality + Int.random(in: 0...50, using: &random))
                    situation.link = .up(path)
                }, "a better link")
            if situation.tier <= .critical { never(later: { $0.tier = .normal }, "normal tier") }
        }
    }

    @Test("What is urgent never waits where there is a link, and nothing gets by a barrier", arguments: 1...20)
    func properties(seed: Int) {
        var random = SeededRandom(seed: UInt64(seed))
        for _ in 0..<500 {
            var situation = Self.wild(&random)
            situation.rows = max(1, situation.rows)
            if situation.tier == .shutdown { situation.tier = .survival }
            situation.urgency = .fenceCrossing
            let hasLink = situation.link == nil || situation.link?.path != nil
            let found = UploadPolicy().answer(situation, at: Self.now)
            #expect(found.isNow == hasLink, "seed \(seed): \(situation)")
            for barrier in [UploadSituation.Barrier.halted, .clock, .unconfigured, .metered] {
                situation.barrier = barrier
                #expect(!UploadPolicy().answer(situation, at: Self.now).isNow, "seed \(seed)")
            }
        }
    }

    /// When it would go by itself, looked at again whenever it says so.
    private static func due(_ start: UploadSituation) -> Instant {
        var situation = start
        var instant = now
        for _ in 0..<2_000 {
            switch UploadPolicy().answer(situation, at: instant) {
            case .now: return instant
            case .never, .wait(nil, _): return .never
            case .wait(let until?, _):
                let step = max(1, until.millis(since: instant))
                instant = instant.advanced(byMillis: step)
                situation.oldestAgeMillis = situation.oldestAgeMillis.map { $0 + step }
                situation.spentForMillis = situation.spentForMillis.flatMap { $0 > step ? $0 - step : nil }
            }
        }
        return .never
    }

    private static func wild(_ random: inout SeededRandom) -> UploadSituation {
        let links: [LinkState?] = [
            nil, .down, free, metered(), metered(Int.random(in: 0...100, using: &random)),
            .captive(LinkPath("wwan0", isMetered: true)),
        ]
        var situation = UploadSituation(
            rows: Int64.random(in: 1...80, using: &random),
            oldestAgeMillis: Int64.random(in: 0...50_000_000, using: &random) >> Int64.random(in: 0...12, using: &random),
            isMoving: Bool.random(using: &random), tier: PowerTier.allCases.randomElement(using: &random) ?? .normal,
            isCharging: Bool.random(using: &random), link: links.randomElement(using: &random) ?? nil)
        if Bool.random(using: &random) { situation.coalescedAt = later(Int64.random(in: 0...60_000, using: &random)) }
        if Int.random(in: 0..<8, using: &random) == 0 {
            situation.spentForMillis = Int64.random(in: 1...86_400_000, using: &random)
        }
        return situation
    }
}

extension UploadAnswer {
    var isNow: Bool { if case .now = self { true } else { false } }
}
