import Testing
import TrackerModel

@testable import TrackerEngine

@Suite("Clock guard")
struct ClockGuardTests {
    private func at(_ millis: Int64) -> Instant { Instant(millis: millis) }

    @Test("With boot ids whatever is older is a straggler, however many there are (E-130)")
    func bootIDs() {
        var clock = ClockGuard(knowsBoots: true)
        #expect(clock.judge(at(1_000_000)) == .forward)
        for _ in 0..<9 { #expect(clock.judge(at(999_000)) == .outOfOrder) }
        #expect(clock.judge(at(0)) == .outOfOrder)
        #expect(clock.judge(at(1_000_000)) == .forward)
    }

    @Test("Without boot ids 300 s back are a reboot, and so is the fourth straggler in a row")
    func steps() {
        var far = ClockGuard(knowsBoots: false, newest: at(400_000))
        #expect(far.judge(at(100_000)) == .reboot)
        #expect(far.judge(at(101_000)) == .forward)
        var near = ClockGuard(knowsBoots: false, newest: at(400_000))
        #expect(near.judge(at(100_001)) == .outOfOrder)
        #expect(near.judge(at(399_000)) == .outOfOrder)
        #expect(near.judge(at(399_500)) == .outOfOrder)
        #expect(near.judge(at(399_900)) == .reboot)
    }

    @Test("A fix that follows ends the run of stragglers")
    func run() {
        var clock = ClockGuard(knowsBoots: false, newest: at(400_000))
        for _ in 0..<3 { #expect(clock.judge(at(399_000)) == .outOfOrder) }
        #expect(clock.judge(at(401_000)) == .forward)
        #expect(clock.judge(at(399_000)) == .outOfOrder)
    }

    @Test("Nothing seen yet: everything follows, even a time before zero (E-047)")
    func first() {
        var clock = ClockGuard(knowsBoots: false)
        #expect(clock.judge(at(-5_000)) == .forward)
    }
}
