import DeviceSimulator
import Ports
import TrackerModel

/// What `journey.txt` of a corpus folder says: one instruction a line, `#` begins a comment. Tests/Corpus/README.md has
/// the list.
struct CorpusPlan {
    /// Where the fixes come from.
    enum Source: Equatable {
        /// The stays and trips of the plan.
        case track
        /// The receiver bytes of a journey of the simulator.
        case journey(String)
        /// Lines in the folder, made by hand.
        case recording(String)
    }

    struct Failure: Error, CustomStringConvertible {
        var description: String
    }

    /// The clock restarts: nothing for a while, then fixes without a date for a while.
    struct Reboot {
        var at: Double
        var downSeconds: Double
        var undatedSeconds: Double
    }

    var source = Source.track
    var seed: UInt64 = 1
    var everyMillis: Int64 = 1_000
    var noise = TrackNoise()
    var scenario = TrackScenario("corpus")
    var config: [ConfigEntry] = []
    var motion: [(activity: String, seconds: Double)] = []
    var reboots: [Reboot] = []
    /// Seconds whose fixes come only after the one `later` fixes on.
    var late: [(second: Double, later: Int)] = []
    /// Receiver bytes of this time come all at its end.
    var stalls: [(from: Double, until: Double)] = []
    /// The dates are this many weeks back.
    var weeksBack = 0
    private var trip: (carrier: TrackScenario.Carrier, headingDeg: Double)?
    private var stretches: [TrackScenario.Stretch] = []
    private var stops: [(atM: Double, seconds: Double)] = []

    init(text: String) throws {
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let words = line.prefix { $0 != "#" }.split(separator: " ").map(String.init)
            guard let name = words.first else { continue }
            guard try take(name, Array(words.dropFirst())) else {
                throw Failure(description: "journey.txt, line \(index + 1): \(line)")
            }
        }
        endTrip()
    }

    /// False when the line is not understood.
    private mutating func take(_ name: String, _ words: [String]) throws -> Bool {
        let numbers = words.compactMap { Double($0) }
        switch (name, numbers.count, words.count) {
        case ("seed", 1, 1): seed = UInt64(numbers[0])
        case ("every", 1, 1): everyMillis = Int64(numbers[0])
        case ("noise", 1, 2): return takeNoise(words[0], numbers[0])
        case ("noise", 0, 2) where words == ["doppler", "none"]: noise.dopplerMps = nil
        case ("config", _, 2): config.append(ConfigEntry(path: words[0], text: words[1], line: config.count + 1))
        case ("motion", 1, 2): motion.append((words[0], numbers[0]))
        case ("journey", 0, 1): source = .journey(words[0])
        case ("recording", 0, 1): source = .recording(words[0])
        case ("reboot", 3, 3):
            reboots.append(Reboot(at: numbers[0], downSeconds: numbers[1], undatedSeconds: numbers[2]))
        case ("late", 2, 2): late.append((numbers[0], Int(numbers[1])))
        case ("stall", 2, 2): stalls.append((numbers[0], numbers[1]))
        case ("weeksBack", 1, 1): weeksBack = Int(numbers[0])
        case ("fault", _, 3...): return takeFault(words[0], numbers)
        default: return takeWay(name, words, numbers)
        }
        return true
    }

    private mutating func takeNoise(_ name: String, _ value: Double) -> Bool {
        switch name {
        case "sigma": noise.sigmaM = value
        case "correlation": noise.correlationSeconds = value
        case "white": noise.whiteM = value
        case "doppler": noise.dopplerMps = value
        case "factor": noise.accuracyFactor = value
        case "spread": noise.accuracySpread = value
        case "floor": noise.accuracyFloorM = value
        default: return false
        }
        return true
    }

    private mutating func takeFault(_ name: String, _ numbers: [Double]) -> Bool {
        guard let (until, from) = numbers.popping(2) else { return false }
        let values = Array(numbers.dropLast(2))
        let kind: TrackFault.Kind
        switch (name, values.count) {
        case ("silence", 0): kind = .silence
        case ("displaced", 3): kind = .displaced(eastM: values[0], northM: values[1], accuracyM: values[2])
        case ("network", 2): kind = .network(sigmaM: values[0], accuracyM: values[1])
        case ("accuracy", 1): kind = .accuracy(values[0])
        case ("phantomSpeed", 1): kind = .phantomSpeed(values[0])
        default: return false
        }
        scenario.faults.append(TrackFault(kind, from: from, until: until))
        return true
    }

    private mutating func takeWay(_ name: String, _ words: [String], _ numbers: [Double]) -> Bool {
        switch (name, numbers.count, words.count) {
        case ("stay", 1, 1...2):
            endTrip()
            scenario.stay(numbers[0], isStill: words.last != "shaken")
        case ("go", 1, 2):
            endTrip()
            let carriers: [String: TrackScenario.Carrier] = ["car": .car, "foot": .foot, "ferry": .ferry]
            guard let carrier = carriers[words[0]] else { return false }
            trip = (carrier, numbers[0])
        case ("straight", 2, 2) where trip != nil: stretches.append(.init(numbers[0], kmh: numbers[1]))
        case ("turn", 3, 3) where trip != nil:
            stretches.append(.init(0, kmh: numbers[2], turnDeg: numbers[0], radiusM: numbers[1]))
        case ("stop", 1, 1) where trip != nil:
            let way = stretches.reduce(0) { $0 + $1.metres + abs($1.turnDeg) * .pi / 180 * $1.radiusM }
            stops.append((way, numbers[0]))
        default: return false
        }
        return true
    }

    private mutating func endTrip() {
        guard let trip else { return }
        scenario.go(trip.carrier, headingDeg: trip.headingDeg, stretches, stops: stops)
        self.trip = nil
        stretches = []
        stops = []
    }
}

extension [Double] {
    /// The last two, the last first.
    fileprivate func popping(_ count: Int) -> (Double, Double)? {
        self.count >= count ? (self[self.count - 1], self[self.count - 2]) : nil
    }
}
