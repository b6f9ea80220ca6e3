import TrackerModel
import WireText

extension Journey {
    /// What the receiver says: GGA, GSA, RMC, VTG and perhaps GST once a second.
    public func nmea() -> [UInt8] {
        var errors = ReceiverErrors(seed: seed, sigmaM: plan.positionSigmaM)
        var out: [UInt8] = []
        for epoch in 0..<epochCount {
            let time = CivilTime(plan.start.advanced(byMillis: Int64(epoch) * 1_000))
            let truth = trueState(at: Double(epoch))
            // Drawn in a tunnel too: the errors go on while nobody sees them.
            let draw = errors.next()
            let text = truth.isSkyVisible ? fixEpoch(time, truth, draw) : darkEpoch(time)
            out += Array(text.utf8)
        }
        return out
    }

    /// `t_ms,lat,lon,speed_mps` of the true path, one line a second under a heading.
    public func truthCSV() -> [UInt8] {
        var out = Array("t_ms,lat,lon,speed_mps\n".utf8)
        for epoch in 0..<epochCount {
            let truth = trueState(at: Double(epoch))
            let line = [
                String(plan.start.millis + Int64(epoch) * 1_000),
                FixedPoint.text(Int64(truth.position.latitudeE7), places: 7),
                FixedPoint.text(Int64(truth.position.longitudeE7), places: 7),
                NMEASentence.decimal(truth.speedMps, places: 3),
            ].joined(separator: ",")
            out += Array((line + "\n").utf8)
        }
        return out
    }

    /// The accelerometer script of the journey.
    public func motionText() -> [UInt8] { Array(("# \(name), seed \(seed)\n" + motion.text).utf8) }

    private func fixEpoch(_ time: CivilTime, _ truth: TrueState, _ draw: ReceiverErrors.Draw) -> String {
        let clock = NMEASentence.time(time)
        let position = displaced(truth.position, east: draw.east, north: draw.north)
        let place = NMEASentence.latitude(position.latitude) + NMEASentence.longitude(position.longitude)
        let hdop = NMEASentence.decimal(draw.hdop, places: 2)
        // A parked receiver's Doppler shows 0.0…0.3 knots.
        let speed =
            truth.speedMps == 0
            ? min(0.3 * 0.514_444, abs(draw.speedMps) * 0.6) : max(0, truth.speedMps + draw.speedMps)
        let knots = NMEASentence.decimal(speed / 0.514_444, places: 3)
        // Below walking pace a receiver leaves the course out.
        let course = truth.speedMps < 0.5 ? "" : self.course(truth.headingDeg + draw.courseDeg)
        var lines = [
            ["GNGGA", clock] + place + [
                "1", NMEASentence.padded(draw.satellites, 2), hdop, NMEASentence.decimal(480 + draw.up, places: 1), "M",
                "47.9", "M", "", "",
            ]
        ]
        lines += satellites(draw)
        lines.append(["GNRMC", clock, "A"] + place + [knots, course, NMEASentence.date(time), "", "", "A"])
        lines.append([
            "GNVTG", course, "T", "", "M", knots, "N", NMEASentence.decimal(speed * 3.6, places: 3), "K", "A",
        ])
        if plan.sendsGST { lines.append(accuracy(clock, draw)) }
        return lines.map(NMEASentence.line).joined()
    }

    private func course(_ degrees: Double) -> String {
        let tenths = Int((degrees * 10).rounded()) % 3_600
        return FixedPoint.text(Int64(tenths < 0 ? tenths + 3_600 : tenths), places: 1)
    }

    /// Two thirds GPS (1…32) and the rest GLONASS (65…96), a sentence each.
    private func satellites(_ draw: ReceiverErrors.Draw) -> [[String]] {
        let gps = draw.satellites * 2 / 3
        let numbers = [
            (0..<gps).map { NMEASentence.padded(2 + 3 * $0, 2) },
            (gps..<draw.satellites).map { String(65 + 2 * ($0 - gps)) },
        ]
        let dilutions = [draw.hdop * 1.8, draw.hdop, draw.hdop * 1.5].map { NMEASentence.decimal($0, places: 2) }
        return numbers.map { used in
            ["GNGSA", "A", "3"] + used + [String](repeating: "", count: 12 - used.count) + dilutions
        }
    }

    private func accuracy(_ clock: String, _ draw: ReceiverErrors.Draw) -> [String] {
        let sigma = NMEASentence.decimal(plan.positionSigmaM * (0.7 + 0.3 * draw.hdop), places: 1)
        let up = NMEASentence.decimal(plan.positionSigmaM * 1.5, places: 1)
        return ["GNGST", clock, "1.8", sigma, sigma, "0", sigma, sigma, up]
    }

    /// Without sky the clock goes on and everything else is empty.
    private func darkEpoch(_ time: CivilTime) -> String {
        let clock = NMEASentence.time(time)
        var lines = [
            ["GNGGA", clock, "", "", "", "", "0", "00", "99.99", "", "", "", "", "", ""],
            ["GNGSA", "A", "1"] + [String](repeating: "", count: 12) + ["99.99", "99.99", "99.99"],
            ["GNRMC", clock, "V", "", "", "", "", "", "", NMEASentence.date(time), "", "", "N"],
            ["GNVTG", "", "", "", "", "", "", "", "", "N"],
        ]
        if plan.sendsGST { lines.append(["GNGST", clock, "", "", "", "", "", "", ""]) }
        return lines.map(NMEASentence.line).joined()
    }
}
