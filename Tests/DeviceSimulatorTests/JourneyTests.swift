import Testing
import TrackerGeo
import TrackerModel
import WireText

@testable import DeviceSimulator

@Suite("Journeys")
struct JourneyTests {
    static let names = ["parked-night", "walk", "urban-drive", "motorway", "tunnel", "park-drive-park", "delivery"]

    private static func journey(_ name: String) throws -> Journey { try #require(Journey(name)) }

    /// Fields of the sentences of a kind.
    private static func sentences(_ nmea: [UInt8], _ kind: String) -> [[Substring]] {
        let start = Array("$GN\(kind)".utf8)
        return nmea.split(separator: 0x0A).filter { $0.starts(with: start) }.map { line in
            String(decoding: line.prefix { $0 != UInt8(ascii: "*") }, as: UTF8.self)
                .split(separator: ",", omittingEmptySubsequences: false)
        }
    }

    private static func degrees(_ field: Substring, width: Int) -> Double {
        (Double(field.prefix(width)) ?? .nan) + (Double(field.dropFirst(width)) ?? .nan) / 60
    }

    @Test("The list has the names of the contract and nothing else resolves")
    func list() {
        #expect(Set(Journey.list.map(\.name)) == Set(Self.names))
        #expect(Journey("atlantis") == nil)
    }

    @Test("The same seed gives the same bytes, another seed other bytes and the same truth")
    func determinism() throws {
        let (one, same) = (try Self.journey("walk"), try Self.journey("walk"))
        let other = try #require(Journey("walk", seed: 7))
        #expect(one.nmea() == same.nmea())
        #expect(one.nmea() != other.nmea())
        #expect(one.truthCSV() == other.truthCSV())
    }

    @Test("Every sentence has its checksum and every second its RMC, without a gap", arguments: names)
    func framing(name: String) throws {
        let journey = try Self.journey(name)
        let nmea = journey.nmea()
        for line in nmea.split(separator: 0x0A) {
            let body = line.dropFirst().prefix { $0 != UInt8(ascii: "*") }
            let sum = Hex.text([body.reduce(UInt8(0), ^)]).uppercased()
            let isRight = line.first == UInt8(ascii: "$") && line.suffix(4).elementsEqual(("*" + sum + "\r").utf8)
            if !isRight { Issue.record("\(String(decoding: line, as: UTF8.self))") }
        }
        let rmc = Self.sentences(nmea, "RMC")
        #expect(rmc.count == journey.epochCount)
        for (index, fields) in rmc.enumerated() {
            let time = CivilTime(journey.start.advanced(byMillis: Int64(index) * 1_000))
            guard fields[1] == NMEASentence.time(time), fields[9] == NMEASentence.date(time) else {
                Issue.record("epoch \(index): \(fields[9]) \(fields[1])")
                break
            }
        }
    }

    @Test("The truth keeps the limits of speed and acceleration and never jumps", arguments: names)
    func kinematics(name: String) throws {
        let journey = try Self.journey(name)
        let tops = ["walk": 1.301, "motorway": 33.34, "tunnel": 22.23, "urban-drive": 16.67]
        let top = tops[name] ?? 13.9
        let from = max(0, (journey.plan.parkedBeforeSeconds - 5) * 10)
        var before = journey.trueState(at: from / 10)
        var fastest = 0.0
        for tick in Int(from) + 1..<Int((journey.durationSeconds - journey.plan.parkedAfterSeconds + 5) * 10) {
            let now = journey.trueState(at: Double(tick) / 10)
            let moved = Geodesic.distanceM(before.position, now.position)
            let mean = (before.speedMps + now.speedMps) / 2
            let change = now.speedMps - before.speedMps
            guard now.speedMps <= top, change <= 0.181, change >= -0.221, abs(moved - mean * 0.1) < 0.02 else {
                Issue.record("at \(Double(tick) / 10) s: \(now.speedMps) m/s, \(change * 10) m/s², moved \(moved) m")
                break
            }
            fastest = max(fastest, now.speedMps)
            before = now
        }
        #expect(name == "parked-night" ? fastest == 0 : fastest > 0.95 * top)
        #expect(before.speedMps == 0)
    }

    @Test("Corners are taken with at most 0.25 g")
    func cornering() throws {
        let journey = try Self.journey("urban-drive")
        var corners = 0.0
        for tick in 1..<Int(journey.durationSeconds * 10) {
            let (a, b) = (journey.trueState(at: Double(tick - 1) / 10), journey.trueState(at: Double(tick) / 10))
            let turn = abs(Geodesic.wrappedDegrees(b.headingDeg - a.headingDeg))
            corners += turn
            let lateral = turn * .pi / 180 / 0.1 * (a.speedMps + b.speedMps) / 2
            if lateral > 2.6 { Issue.record("\(lateral) m/s² at \(Double(tick) / 10) s") }
        }
        #expect(abs(corners - 25 * 90) < 1, "25 right angles")
    }

    @Test("A town drive stands at its four lights as long as told and takes about twelve minutes")
    func lights() throws {
        let journey = try Self.journey("park-drive-park")
        let idle = journey.motion.segments.filter { $0.activity == .idle }.map { Int(($0.millis + 500) / 1_000) }
        #expect(idle == [20, 90, 35, 60])
        #expect(journey.motion.segments.first == .init(.still, millis: 7_200_000))
        #expect(journey.motion.segments.last == .init(.still, millis: 900_000))
        #expect((660...780).contains(journey.durationSeconds - 8_100))
        #expect(abs(Double(journey.motion.durationMillis) / 1_000 - journey.durationSeconds) <= 0.5)
    }

    @Test(
        "Position errors wander with the deviation of the journey, slowly",
        arguments: [("parked-night", 5.0), ("park-drive-park", 3.0)])
    func positionNoise(name: String, sigma: Double) throws {
        let journey = try Self.journey(name)
        let frame = LocalFrame(origin: journey.trueState(at: 0).position)
        let errors = Self.sentences(journey.nmea(), "GGA").prefix(7_200).map { fields in
            frame.offset(
                of: Coordinate(
                    latitude: Self.degrees(fields[2], width: 2), longitude: Self.degrees(fields[4], width: 3)))
        }
        for axis in [errors.map(\.east), errors.map(\.north)] {
            let deviation = (axis.reduce(0) { $0 + $1 * $1 } / Double(axis.count)).squareRoot()
            // 120 correlation times: the deviation itself is uncertain by some 15 %.
            #expect((0.65 * sigma...1.35 * sigma).contains(deviation), "\(deviation) m")
            let steps = zip(axis, axis.dropFirst()).reduce(0) { $0 + ($1.1 - $1.0) * ($1.1 - $1.0) }
            let step = (steps / Double(axis.count - 1)).squareRoot()
            // σ·√(2(1 − e^(−1/60))) of the wandering and 0.3·√2 of the white part.
            let expected = (sigma * sigma * 0.0331 + 0.18).squareRoot()
            #expect(abs(step / expected - 1) < 0.1, "\(step) m a second")
        }
    }

    @Test("Parked speeds read 0.0 to 0.3 knots without a course; moving ones follow the truth", arguments: names)
    func speeds(name: String) throws {
        let journey = try Self.journey(name)
        var squares = (speed: 0.0, count: 0)
        for (index, fields) in Self.sentences(journey.nmea(), "RMC").enumerated() where fields[2] == "A" {
            let truth = journey.trueState(at: Double(index))
            let knots = try #require(Double(fields[7]))
            if truth.speedMps == 0 {
                guard knots <= 0.3, fields[8].isEmpty else {
                    Issue.record("\(fields)")
                    break
                }
            } else if truth.speedMps > 1 {
                let error = knots * 0.514_444 - truth.speedMps
                squares = (squares.speed + error * error, squares.count + 1)
                let course = try #require(Double(fields[8]))
                #expect(abs(Geodesic.wrappedDegrees(course - truth.headingDeg)) < 6.2)
            }
        }
        if squares.count > 100 {
            let deviation = (squares.speed / Double(squares.count)).squareRoot()
            #expect((0.08...0.12).contains(deviation), "\(deviation) m/s")
        }
    }

    @Test("Dilution and satellite counts stay in their ranges and vary")
    func sky() throws {
        let gga = Self.sentences(try Self.journey("urban-drive").nmea(), "GGA")
        let hdop = gga.compactMap { Double($0[8]) }
        let used = Set(gga.compactMap { Int($0[7]) })
        #expect(hdop.allSatisfy { (0.7...1.5).contains($0) } && Set(hdop).count > 10)
        #expect(used.allSatisfy { (8...14).contains($0) } && used.count > 2)
    }

    @Test("A tunnel is 60 s of RMC status V and GGA quality 0 in the middle of movement")
    func tunnel() throws {
        let journey = try Self.journey("tunnel")
        let nmea = journey.nmea()
        let dark = Self.sentences(nmea, "RMC").enumerated().filter { $0.element[2] == "V" }.map(\.offset)
        #expect(dark.count == 60)
        #expect(dark == Array((dark.first ?? 0)...(dark.last ?? 0)))
        #expect(dark.allSatisfy { journey.trueState(at: Double($0)).speedMps > 15 })
        let gga = Self.sentences(nmea, "GGA")
        #expect(dark.allSatisfy { gga[$0][6] == "0" && gga[$0][2].isEmpty })
    }

    @Test("Only the town drive tells its accuracy by GST")
    func accuracy() throws {
        for name in Self.names where name != "parked-night" {
            let journey = try Self.journey(name)
            let count = Self.sentences(journey.nmea(), "GST").count
            #expect(count == (name == "urban-drive" ? journey.epochCount : 0))
        }
    }

    @Test("The truth file has a heading and a row a second, in UTC milliseconds")
    func truth() throws {
        let journey = try Self.journey("walk")
        let lines = String(decoding: journey.truthCSV(), as: UTF8.self).split(separator: "\n")
        #expect(lines.first == "t_ms,lat,lon,speed_mps")
        #expect(lines.count == journey.epochCount + 1)
        #expect(lines[1] == "1777896000000,47.0500000,8.3000000,0.000")
        #expect(try MotionScript(text: String(decoding: journey.motionText(), as: UTF8.self)).segments.count == 9)
    }
}
