import TrackerModel

/// What the status light shows, most important first.
enum LightState: String, CaseIterable {
    case dark
    case fault
    case noFix
    case lowBattery
    case uploading
    case fix

    /// Sparse, for each flash is two wake-ups (spec power §4: 12 000 an hour while moving). `nil`: no flash.
    var pattern: LightPattern? {
        switch self {
        case .dark: nil
        case .fault: LightPattern(flashes: 4)
        case .noFix: LightPattern(flashes: 2)
        case .lowBattery: LightPattern(flashes: 3, periodMillis: 16_000)
        case .uploading: LightPattern(flashes: 1, flashMillis: 500)
        case .fix: LightPattern(flashes: 1)
        }
    }
}

/// Some flashes, and a long pause.
struct LightPattern: Equatable {
    var flashes: Int
    /// The eye takes 50 ms for a flash and counts flashes that are 300 ms apart.
    var flashMillis: Int64 = 50
    var gapMillis: Int64 = 300
    /// From the first flash to the next first one.
    var periodMillis: Int64 = 8_000

    /// Of an hour that shows nothing else.
    var wakeUpsAnHour: Int64 { Int64(flashes) * 2 * 3_600_000 / periodMillis }
}

/// Plays the pattern of a state. Pure: times and states in, levels out. A state that changes is shown with the next
/// pattern, and at once when the light was dark.
struct StatusLight {
    private(set) var isOn = false
    private(set) var state = LightState.dark
    /// When to call `advance`; `.never` while dark.
    private(set) var deadline = Instant.zero
    private var startedAt = Instant.zero
    private var flashesLeft = 0

    /// A new pattern may come a little late, to share a wake-up; what is within one may not.
    var toleranceMillis: Int64 { isOn || flashesLeft > 0 ? 20 : 1_000 }

    /// Something has happened: when dark, there may be something to show now.
    mutating func wake(at now: Instant) {
        if deadline == .never { deadline = now }
    }

    mutating func advance(to now: Instant, showing wanted: () -> LightState) {
        guard now >= deadline else { return }
        if isOn, let pattern = state.pattern {
            isOn = false
            flashesLeft -= 1
            deadline =
                flashesLeft > 0
                ? now.advanced(byMillis: pattern.gapMillis) : startedAt.advanced(byMillis: pattern.periodMillis)
            return
        }
        if flashesLeft == 0 {
            state = wanted()
            startedAt = now
            flashesLeft = state.pattern?.flashes ?? 0
        }
        isOn = flashesLeft > 0
        deadline = state.pattern.map { now.advanced(byMillis: $0.flashMillis) } ?? .never
    }
}
