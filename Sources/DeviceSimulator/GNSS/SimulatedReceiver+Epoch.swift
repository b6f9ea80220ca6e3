import CLinux
import Glibc
import TrackerModel
import WireText

extension SimulatedReceiver {
    /// Says all messages of the epoch that is due.
    mutating func speak() {
        let solution = solve(at: nextEpoch)
        guard isNavigating else { return }
        let satellites = sky.satellites(at: nextEpoch, used: solution.satellitesUsed, isDark: isDark(at: nextEpoch))
        let current = effective
        let ubx = ubxOutput(solution, satellites)
        let nmea = NMEAOutput(style: options.family.nmeaStyle, solution: solution, satellites: satellites)
        for message in ReceiverMessage.allCases where current.sends(message, inEpoch: epochIndex) {
            guard message.exists(in: options.family) else { continue }
            if message.isUBX {
                say(ubx.bytes(message))
            } else if truncatesNext, message == .rmc {
                truncatesNext = false
                say(Self.truncated(nmea.text(message)))
            } else {
                say(nmea.text(message))
            }
        }
        epochIndex += 1
    }

    func ubxOutput(_ solution: NavigationSolution, _ satellites: [SatelliteSky.Satellite]) -> UBXOutput {
        UBXOutput(
            family: options.family, solution: solution, satellites: satellites,
            uptimeMillis: Int(now.millis(since: search.startedAt)), firstFixMillis: search.firstFixMillis,
            hasEphemeris: search.freshAt != nil)
    }

    /// What the receiver believes; moves the search and the errors on.
    mutating func solve(at time: Instant) -> NavigationSolution {
        var solution = NavigationSolution(utc: clock.start)
        readClock(into: &solution, at: time)
        report(into: &solution, at: time)
        let isFixed = search.look(
            isSkyVisible: !isDark(at: time), at: time, periodMillis: Int64(effective.periodMillis))
        let seconds = time.seconds(since: .zero)
        let draw = errors.draw(at: seconds)
        guard isFixed else {
            // A hot start shows where it was, flagged as no fix (edge case E-025).
            let showsLast = search.start == .hot && search.firstFixAt == nil
            solution.position = showsLast ? lastPosition : nil
            return solution
        }
        let truth = journey.standingTrueState(at: seconds)
        let steady = NavigationSolution.accuracyFactor * journey.plan.positionSigmaM
        let cyclic = configuration.isCyclic ? NavigationSolution.cyclicFactor : 1
        let accuracy = search.accuracyM(at: time, steady: steady * cyclic)
        solution.quality = 1
        solution.horizontalAccuracyM = accuracy
        solution.verticalAccuracyM = accuracy * 1.5
        let scale = accuracy / steady
        solution.position = journey.displaced(truth.position, east: draw.east * scale, north: draw.north * scale)
        solution.altitudeM += draw.up * min(5, scale)
        solution.hdop = min(20, draw.hdop * scale.squareRoot())
        solution.satellitesUsed = scale > 2 ? 4 : options.family.isGPSOnly ? min(10, draw.satellites) : draw.satellites
        move(&solution, truth, draw)
        solution.speedAccuracyMps = 0.1 + accuracy / 100
        spoil(&solution, at: time)
        lastPosition = solution.position
        return solution
    }

    private func move(_ solution: inout NavigationSolution, _ truth: Journey.TrueState, _ draw: ReceiverErrors.Draw) {
        let speed = NavigationSolution.speedMps(truth, draw)
        let turned = (truth.headingDeg + draw.courseDeg).truncatingRemainder(dividingBy: 360)
        let course = turned < 0 ? turned + 360 : turned
        solution.speedMps = speed
        solution.courseDeg = course
        solution.hasCourse = truth.speedMps >= 0.5
        solution.northMps = speed * cos(course * .pi / 180)
        solution.eastMps = speed * sin(course * .pi / 180)
    }

    /// No signals: a tunnel, a broken antenna, or the script says so.
    func isDark(at time: Instant) -> Bool {
        let broken: [ReceiverFault.Kind] = [.noFix, .antennaOpen, .antennaShort]
        return broken.contains { faults.isActive($0, at: time) }
            || !journey.standingTrueState(at: time.seconds(since: .zero)).isSkyVisible
    }

    private func readClock(into solution: inout NavigationSolution, at time: Instant) {
        let moment = faults.active(.timeStall, at: time).map(\.at) ?? time
        let reading = clock.reading(at: moment)
        solution.utc = reading.utc
        solution.isLeapSecond = reading.isLeapSecond
        solution.gpsWeek = reading.gpsWeek
        solution.weekMillis = reading.weekMillis
        solution.knowsTime = search.knowsTime(at: time)
        solution.knowsDate = search.knowsDate(at: time) && !faults.isActive(.blankDate, at: time)
        solution.knowsLeapSeconds = solution.knowsDate
        if let error = faults.active(.leapError, at: time) {
            solution.utc = solution.utc.advanced(byMillis: Int64(error.value * 1_000))
            solution.knowsLeapSeconds = false
        }
        if let rollover = faults.active(.rollover, at: time) {
            let weeks = 1_024 * Int(rollover.value)
            solution.utc = solution.utc.advanced(byMillis: -Int64(weeks) * 604_800_000)
            solution.gpsWeek -= weeks
        }
        // A MediaTek without time counts from the start of GPS instead of leaving it out (field reports F-26, F-29).
        if options.family == .mtk, !solution.knowsTime {
            let uptime = time.millis(since: search.startedAt)
            solution.utc = CivilTime(year: 1980, month: 1, day: 6).utc.advanced(byMillis: uptime)
            (solution.knowsTime, solution.knowsDate) = (true, true)
        }
    }

    private func report(into solution: inout NavigationSolution, at time: Instant) {
        if let spoofed = faults.active(.spoofed, at: time) { solution.spoofing = Int(spoofed.value) }
        if let jammed = faults.active(.jammed, at: time) { solution.jamming = Int(jammed.value) }
        if faults.isActive(.antennaOpen, at: time) { solution.antenna = 4 }
        if faults.isActive(.antennaShort, at: time) { solution.antenna = 3 }
    }

    /// The faults of the position.
    private func spoil(_ solution: inout NavigationSolution, at time: Instant) {
        if faults.isActive(.freeze, at: time), let lastPosition { solution.position = lastPosition }
        if faults.isActive(.flat, at: time) {
            solution.is3D = false
            solution.satellitesUsed = min(3, solution.satellitesUsed)
        }
        if let few = faults.active(.satellites, at: time) { solution.satellitesUsed = Int(few.value) }
        if let dilution = faults.active(.hdop, at: time) { solution.hdop = dilution.value }
        if faults.isActive(.estimated, at: time) { solution.quality = 6 }
        if faults.isActive(.manual, at: time) { solution.quality = 7 }
        if faults.isActive(.simulated, at: time) { solution.quality = 8 }
        if faults.isActive(.nullIsland, at: time) { solution.position = Coordinate(latitude: 0, longitude: 0) }
    }

    /// The front of a sentence with a checksum that fits it (field report F-01).
    private static func truncated(_ sentence: String) -> String {
        let fields = sentence.dropFirst().prefix { $0 != "*" }.split(separator: ",", omittingEmptySubsequences: false)
        guard fields.count > 4 else { return sentence }
        return NMEASentence.line(fields.prefix(3).map(String.init) + [String(fields[3].prefix(8))])
    }
}

extension Journey {
    /// The truth, and after the end of the journey a stand where it ended.
    func standingTrueState(at seconds: Double) -> TrueState {
        guard seconds >= durationSeconds else { return trueState(at: seconds) }
        var last = trueState(at: durationSeconds)
        last.speedMps = 0
        return last
    }
}
