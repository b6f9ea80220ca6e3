import TestKit
import Testing
import TrackerGeo
import TrackerModel

@testable import TrackerEngine

@Suite("Following fixes")
struct FixFollowerTests {
    private static let frame = LocalFrame(origin: Coordinate(latitude: 47, longitude: 8))

    private func gauss(_ random: inout SeededRandom) -> Double {
        (0..<12).reduce(-6) { sum, _ in sum + Double.random(in: 0...1, using: &random) }
    }

    /// East at a speed for `seconds`, with errors of σ per axis that keep `keep` of themselves each second.
    private func walk(
        _ seconds: Int, speed: Double, sigma: Double, keep: Double, accuracy: Double, seed: UInt64,
        _ visit: (FixFollower, Int) -> Void = { _, _ in }
    ) -> FixFollower {
        var random = SeededRandom(seed: seed)
        var follower = FixFollower()
        var error = (east: sigma * gauss(&random), north: sigma * gauss(&random))
        let push = sigma * (1 - keep * keep).squareRoot()
        for second in 0..<seconds {
            error = (keep * error.east + push * gauss(&random), keep * error.north + push * gauss(&random))
            let place = Self.frame.position(east: Double(second) * speed + error.east, north: error.north)
            _ = follower.take(fix(second, place, accuracy))
            visit(follower, second)
        }
        return follower
    }

    private func fix(_ second: Int, _ place: Coordinate, _ accuracy: Double) -> TrackFix {
        let instant = Instant(millis: Int64(second) * 1_000)
        return TrackFix(time: nil, instant: instant, receivedAt: instant, coordinate: place, accuracyM: accuracy)
    }

    @Test("Independent errors are told from wandering ones, whatever the accuracy claims", arguments: 1...20)
    func independence(seed: Int) {
        var independent = 0
        var wandering = 0
        for accuracy in [15.0, 30, 90] {
            _ = walk(600, speed: 0, sigma: 12, keep: 0, accuracy: accuracy, seed: UInt64(seed)) { follower, second in
                if second > 60, follower.hasIndependentErrors { independent += 1 }
            }
            // The Gauss–Markov error of a receiver, 60 s of correlation.
            _ = walk(600, speed: 0, sigma: 12, keep: 0.983, accuracy: accuracy, seed: UInt64(seed)) {
                follower, second in
                if second > 60, follower.hasIndependentErrors { wandering += 1 }
            }
        }
        #expect(independent > 1_500, "seed \(seed): \(independent) of 1 617")
        #expect(wandering < 110, "seed \(seed): \(wandering) of 1 617")
    }

    @Test("A receiver that tells every fix twice is followed as one that tells it once")
    func doubled() {
        var random = SeededRandom(seed: 3)
        var (once, twice) = (FixFollower(), FixFollower())
        for second in 0..<120 {
            let place = Self.frame.position(east: 12 * gauss(&random), north: 12 * gauss(&random))
            let followed = once.take(fix(second, place, 18))
            let (first, second) = (twice.take(fix(second, place, 18)), twice.take(fix(second, place, 18)))
            #expect(first == followed)
            if followed { #expect(!second) }
        }
        #expect(once.hasIndependentErrors && twice.hasIndependentErrors)
        #expect(once.position == twice.position)
    }

    @Test("The chosen fix lies nearer to the truth than half of what a fix errs", arguments: 1...20)
    func choice(seed: Int) throws {
        var sum = 0.0
        var count = 0.0
        _ = walk(600, speed: 1.4, sigma: 12, keep: 0, accuracy: 18, seed: UInt64(seed)) { follower, second in
            guard second > 60, second % 20 == 0 else { return }
            let window = (Instant(millis: Int64(second - 24) * 1_000), Instant(millis: Int64(second - 12) * 1_000))
            guard let best = follower.best(after: window.0, to: window.1, mostAccuracyM: 100) else { return }
            let at = best.fix.instant.seconds(since: .zero)
            let place = Self.frame.offset(of: best.fix.coordinate)
            sum += ((place.east - at * 1.4) * (place.east - at * 1.4) + place.north * place.north).squareRoot()
            count += 1
        }
        // The mean of a two-dimensional error of 12 m per axis is 15 m.
        #expect(count > 20 && sum / count < 7.5, "seed \(seed): \(sum / count) m")
    }

    @Test("A walk is moving beyond doubt for more than 450 of 539 s, standing for less than 160", arguments: 1...20)
    func movement(seed: Int) {
        var walking = 0
        var standing = 0
        for (speed, isWalk) in [(1.4, true), (0, false)] {
            _ = walk(600, speed: speed, sigma: 8, keep: 0, accuracy: 12, seed: UInt64(seed)) { follower, second in
                guard second > 60, follower.isMoving(at: Instant(millis: Int64(second - 12) * 1_000)) else { return }
                if isWalk { walking += 1 } else { standing += 1 }
            }
        }
        #expect(walking > 450, "seed \(seed): \(walking) of 539 s walking")
        #expect(standing < 160, "seed \(seed): \(standing) of 539 s standing")
    }

    @Test("Of a receiver of 10 Hz a stretch is as long as of one of 1 Hz, so that there is always one to choose")
    func quick() {
        var random = SeededRandom(seed: 4)
        var follower = FixFollower()
        var chosen = 0
        for tenth in 0..<1_200 {
            let instant = Instant(millis: Int64(tenth) * 100)
            let place = Self.frame.position(east: 12 * gauss(&random), north: 12 * gauss(&random))
            _ = follower.take(
                TrackFix(time: nil, instant: instant, receivedAt: instant, coordinate: place, accuracyM: 18))
            guard tenth >= 300, tenth % 10 == 0 else { continue }
            let latest = instant.advanced(byMillis: -12_000)
            let best = follower.best(after: latest.advanced(byMillis: -12_000), to: latest, mostAccuracyM: 100)
            if best != nil { chosen += 1 }
        }
        #expect(chosen == 90)
    }

    @Test("A spike is not followed, ten in a row are")
    func outliers() {
        var follower = walk(60, speed: 0, sigma: 3, keep: 0, accuracy: 5, seed: 1)
        let away = Self.frame.position(east: 400, north: 0)
        for second in 60..<70 {
            let isTaken = follower.take(fix(second, away, 5))
            #expect(!isTaken, "\(second)")
        }
        let isTaken = follower.take(fix(70, away, 5))
        #expect(isTaken)
    }

    @Test("A silence begins a new stretch, and a long way moves the frame without a jump")
    func stretches() throws {
        var follower = walk(60, speed: 1, sigma: 3, keep: 0, accuracy: 5, seed: 2)
        _ = follower.take(fix(90, Self.frame.position(east: 90, north: 0), 5))
        #expect(!follower.hasIndependentErrors)
        let fast = walk(600, speed: 40, sigma: 2, keep: 0.98, accuracy: 5, seed: 3)
        let place = Self.frame.offset(of: try #require(fast.position))
        #expect(abs(place.east - 599 * 40) < 25 && abs(place.north) < 15, "\(place)")
    }
}
