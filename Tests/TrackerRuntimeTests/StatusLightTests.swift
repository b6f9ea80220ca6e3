import Testing
import TrackerModel

@testable import TrackerRuntime

@Suite("Status light") struct StatusLightTests {
    /// When the light goes on and off within a time, in milliseconds.
    private func edges(_ state: LightState, until end: Int64) -> [Int64] {
        var light = StatusLight()
        var found: [Int64] = []
        while light.deadline <= Instant(millis: end) {
            let (due, was) = (light.deadline, light.isOn)
            light.advance(to: due) { state }
            if light.isOn != was { found.append(due.millis) }
        }
        return found
    }

    @Test("shows each state with its own number and length of flashes") func patterns() {
        #expect(edges(.fix, until: 8_000) == [0, 50, 8_000])
        #expect(edges(.noFix, until: 8_000) == [0, 50, 350, 400, 8_000])
        #expect(edges(.lowBattery, until: 16_000) == [0, 50, 350, 400, 700, 750, 16_000])
        #expect(edges(.fault, until: 8_000) == [0, 50, 350, 400, 700, 750, 1_050, 1_100, 8_000])
        #expect(edges(.uploading, until: 8_000) == [0, 500, 8_000])
        let shapes = LightState.allCases.compactMap { $0.pattern.map { "\($0.flashes) of \($0.flashMillis)" } }
        #expect(Set(shapes).count == LightState.allCases.count - 1)
    }

    @Test("wakes the processor for a third of the hour's budget at most (power §4)", arguments: LightState.allCases)
    func budget(state: LightState) {
        let wakeUps = edges(state, until: 3_599_999).count
        #expect(wakeUps <= 4_000)
        #expect(state.pattern.map { Int($0.wakeUpsAnHour) } ?? 0 == wakeUps)
    }

    @Test("a dark light has no timer, and shows what there is when it is woken") func dark() {
        var light = StatusLight()
        light.advance(to: .zero) { .dark }
        #expect(!light.isOn && light.deadline == .never)
        light.wake(at: Instant(millis: 5_000))
        light.advance(to: Instant(millis: 5_000)) { .fix }
        #expect(light.isOn && light.deadline == Instant(millis: 5_050))
    }

    @Test("a pattern is played to its end before another begins") func change() {
        var light = StatusLight()
        light.advance(to: .zero) { .noFix }
        light.advance(to: Instant(millis: 50)) { .dark }
        light.advance(to: Instant(millis: 350)) { .dark }
        #expect(light.isOn && light.state == .noFix)
        light.advance(to: Instant(millis: 400)) { .dark }
        light.advance(to: Instant(millis: 8_000)) { .dark }
        #expect(!light.isOn && light.state == .dark && light.deadline == .never)
    }
}
