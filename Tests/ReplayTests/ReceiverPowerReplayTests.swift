import DeviceSimulator
import TestKit
import Testing
import TrackerGeo
import TrackerModel
import TrackerRuntime
import WireText

@Suite("A tracker whose receiver rests, in simulated time")
struct ReceiverPowerReplayTests {
    @Test(
        "A stationary day: the receiver is on for less than 1.7 % of it, one point is stored, and nobody takes it for dead"
    )
    func stationaryDay() throws {
        let bench = try LiveBench(motion: "still 90000")
        try bench.runtime.start()
        bench.run(86_400)
        #expect(bench.points.count == 1)
        let awake = Double(bench.stream.awakeMillis) / 86_400_000
        let firstFix = [bench.power("firstFixSec.hot"), bench.power("firstFixSec.warm")].map { $0?.doubleValue ?? 0 }
        print("stationary day: awake \(awake), first fix hot and warm \(firstFix) s")
        // Bounds in this file are about twice what was measured.
        #expect((0.004..<0.017).contains(awake), "\(awake)")
        #expect((1..<4.2).contains(firstFix[0]) && (23..<40).contains(firstFix[1]), "\(firstFix)")
        #expect(bench.errors.isEmpty && bench.diagnostics.isEmpty, "\(bench.errors) \(bench.diagnostics)")
        let starts = try #require(bench.power("starts")?.intValue)
        #expect((90...100).contains(starts))
        let on = try #require(bench.power("onTodaySec")?.doubleValue)
        #expect(abs(on - awake * 86_400) < 300, "\(on) s of \(awake * 86_400) s awake")
    }

    @Test(
        "A parked receiver costs little of the track: the start is noticed in 9 s and 55 m, of a MediaTek in 22 s and 92 m",
        arguments: [SimulatedFamily.ublox8, .ublox10, .mtk])
    func delivery(family: SimulatedFamily) throws {
        let resting = try LiveBench(journey: "delivery", family: family)
        let running = try LiveBench(journey: "delivery", family: family) { $0.powerControl = .none }
        let journey = try #require(Journey("delivery"))
        for bench in [resting, running] {
            try bench.runtime.start()
            bench.run(Int64(journey.durationSeconds))
        }
        #expect(running.power("state") == nil)
        #expect(resting.stream.receiver.sleeps >= 2)
        // When it drives off from the door, in truth.
        let departure = try #require(
            (400..<Int(journey.durationSeconds)).first { second in
                let now = journey.trueState(at: Double(second))
                return now.speedMps > 0
                    && (second - 600..<second).allSatisfy { journey.trueState(at: Double($0)).speedMps == 0 }
            })
        let door = journey.trueState(at: Double(departure - 1)).position
        func firstAfter(_ bench: LiveBench) throws -> (seconds: Double, metres: Double) {
            let point = try #require(bench.points.first { $0.instant.seconds(since: .zero) > Double(departure) })
            return (point.instant.seconds(since: .zero) - Double(departure), Geodesic.distanceM(door, point.coordinate))
        }
        let (late, usual) = (try firstAfter(resting), try firstAfter(running))
        print("delivery \(family.rawValue): first point after the start \(late), without rest \(usual)")
        let bound: (seconds: Double, metres: Double) = family == .mtk ? (22, 92) : (9, 55)
        #expect(late.seconds <= bound.seconds && late.metres <= bound.metres, "\(late), without rest \(usual)")
        let truth = (0..<Int(journey.durationSeconds)).reduce(0.0) { $0 + journey.trueState(at: Double($1)).speedMps }
        let lengths = [resting, running].map { Double($0.points.last?.odometerMM ?? 0) / 1_000 }
        print("delivery \(family.rawValue): \(lengths) m of \(truth) m")
        // A MediaTek's start is noticed 8 s later, and a corner behind it is cut off.
        #expect(lengths.allSatisfy { abs($0 / truth - 1) < (family == .mtk ? 0.04 : 0.01) }, "\(lengths) of \(truth)")
        #expect(resting.errors.isEmpty, "\(resting.errors)")
        #expect(resting.points.allSatisfy { $0.gapCause == nil }, "a stop at one place is no gap")
    }

    @Test("A receiver that never wakes is called, found silent, and reported dead after an hour, not before")
    func neverWakes() throws {
        let bench = try LiveBench(faults: "600 never-wakes", motion: "still 20000")
        try bench.runtime.start()
        bench.run(900)
        #expect(bench.power("state") == "off")
        bench.run(150)
        #expect(bench.power("state") == "failed")
        #expect(bench.diagnostics.contains { $0.contains("receiver_silent") })
        #expect(bench.errors.isEmpty)
        bench.run(8_000)
        #expect(bench.errors.contains { $0.hasPrefix("trackerDead") }, "\(bench.errors)")
        #expect(bench.diagnostics.count { $0.contains("receiver_silent") } <= 7, "with longer and longer waits")
    }

    @Test("One that was deaf for ten minutes is found again, and the row of failures is over")
    func deaf() throws {
        let bench = try LiveBench(faults: "600 never-wakes for 900", motion: "still 20000")
        try bench.runtime.start()
        bench.run(3_600)
        #expect(bench.power("failures")?.intValue.map { $0 >= 1 } == true)
        #expect(bench.power("state") == "off")
        #expect(bench.errors.isEmpty)
    }

    @Test("One that wakes by itself is sent to rest again, and that is told")
    func wakesByItself() throws {
        let bench = try LiveBench(faults: "300 wakes\n500 wakes", motion: "still 20000")
        try bench.runtime.start()
        bench.run(299)
        #expect(bench.stream.receiver.isAsleep)
        bench.run(10)
        #expect(bench.stream.receiver.isAsleep)
        bench.run(300)
        #expect(bench.diagnostics.count { $0.contains("receiver_woke_by_itself") } == 2)
        #expect(bench.power("starts") == 1)
        #expect(bench.points.count == 1)
    }

    @Test(
        "Stopped, or in survival, while it rests: it wakes once at the time that was planned before, and rests on",
        arguments: ["stop", "power.set"])
    func longerPlan(operation: String) throws {
        let bench = try LiveBench(motion: "still 30000")
        try bench.runtime.start()
        bench.run(300)
        #expect(bench.power("state") == "off")
        bench.ask(operation, operation == "stop" ? [:] : ["tier": "survival"])
        let awake = bench.stream.awakeMillis
        bench.run(20_000)
        #expect(bench.power("state") == "off" && bench.power("problem") == nil && bench.power("starts") == 1)
        #expect(bench.diagnostics.isEmpty, "\(bench.diagnostics)")
        #expect((1...5_000).contains(bench.stream.awakeMillis - awake), "\(bench.stream.awakeMillis - awake)")
    }

    @Test(
        "One that loses its settings and its sky in its sleep is found at its factory speed and set up again",
        arguments: [SimulatedFamily.ublox8, .ublox10])
    func losesConfig(family: SimulatedFamily) throws {
        let bench = try LiveBench(family: family, faults: "600 loses-config", motion: "still 20000") {
            $0.gnssRateHz = 10
        }
        try bench.runtime.start()
        bench.run(800)
        // 10 Hz fit into 38 400 bit/s.
        let baud: JSONValue = family == .ublox8 ? 115_200 : 38_400
        #expect(bench.runtime.status()["receiver.baud"] == baud)
        bench.run(145)
        #expect(!bench.stream.receiver.isAsleep)
        bench.run(20)
        #expect(bench.runtime.status()["receiver.configured"] == "yes")
        #expect(bench.runtime.status()["receiver.baud"] == baud)
        bench.run(120)
        #expect(bench.power("state") == "off" && bench.points.count == 1)
    }

    @Test("One that takes no such command goes on as it is; status says so")
    func wrongFamily() throws {
        let bench = try LiveBench(family: .generic, start: .hot, motion: "still 20000")
        try bench.runtime.start()
        bench.run(3_000)
        #expect(bench.power("state") == "tracking" && bench.power("why") == "restRefused")
        #expect(bench.power("problem")?.stringValue?.contains("generic") == true)
        #expect(bench.runtime.status()["receiver.state"] == "fix3D")
        #expect(bench.errors.isEmpty && bench.points.count == 1)
    }

    @Test("Without sky it searches, rests longer and longer, and is reported after an hour as without rest")
    func garage() throws {
        let bench = try LiveBench(faults: "600 no-fix", motion: "still 20000")
        try bench.runtime.start()
        bench.run(14_400)
        #expect(bench.errors.contains { $0.hasPrefix("trackerDead") })
        let awake = Double(bench.stream.awakeMillis) / 14_400_000
        print("four hours, most of them without sky: awake \(awake)")
        #expect(awake < 0.06, "\(awake)")
    }

    @Test("A one-shot wakes a resting receiver, waits longer for it, and lets it rest again")
    func oneShot() throws {
        let bench = try LiveBench(motion: "still 20000")
        try bench.runtime.start()
        bench.run(600)
        #expect(bench.runtime.status()["receiver.state"] == "off")
        let asked = bench.ask("getCurrentLocation", ["timeoutMs": 1_000])
        #expect(bench.power("state") == "starting")
        bench.run(30)
        let answer = try JSONReader.parse(try #require(asked.lines.first))
        #expect(answer["ok"] == true, "five seconds more than the one it was given: \(answer.text)")
        #expect(bench.power("state") == "off" && bench.power("why") == "oneShot")
    }

    @Test("A one-shot gets the longer time as well from a receiver that rests after a search in vain")
    func oneShotAfterFailure() throws {
        let bench = try LiveBench(faults: "600 no-fix for 633", motion: "still 20000")
        try bench.runtime.start()
        bench.run(1_230)
        #expect(bench.power("state") == "failed")
        let asked = bench.ask("getCurrentLocation", ["timeoutMs": 1_000])
        bench.run(2)
        #expect(asked.lines.isEmpty, "more than the second it was given")
        bench.run(30)
        #expect(try JSONReader.parse(try #require(asked.lines.first))["ok"] == true)
    }

    @Test("Held by the battery it is off, in what is shown and counted, and says so at once; then it goes on")
    func held() throws {
        let bench = try LiveBench(motion: "still 90000")
        bench.battery.reading = BatteryReading(percent: 80, isCharging: true, supply: .usb)
        try bench.runtime.start()
        bench.run(900)
        #expect(bench.power("state") == "tracking")
        bench.ask("power.set", ["tier": "shutdown", "forMs": 7_200_000])
        // No line takes its supply away, so it is sent to sleep.
        #expect(bench.power("state") == "off" && bench.power("rest") == "backup" && bench.power("nextFixSec") == nil)
        bench.run(5)
        #expect(bench.stream.receiver.isAsleep)
        let on = bench.power("onTodaySec")
        bench.run(3_595)
        #expect(bench.power("onTodaySec") == on && bench.power("sinceSec")?.doubleValue == 3_600)
        for (operation, arguments) in [("getCurrentLocation", JSONObject()), ("gnss.reset", ["mode": "hot"])] {
            let answer = try JSONReader.parse(try #require(bench.ask(operation, arguments).lines.first))
            #expect(answer["message"]?.stringValue?.contains("power tier shutdown") == true, "\(answer.text)")
        }
        #expect(bench.runtime.status()["receiver.held"]?.stringValue?.contains("power tier shutdown") == true)
        bench.run(3_700)
        #expect(bench.power("state") == "tracking" && bench.power("why") == "externalSupply")
        #expect(bench.runtime.status()["receiver.held"] == nil)
    }

    @Test("A new day is counted anew, without a session as well")
    func newDay() throws {
        let bench = try LiveBench(motion: "still 200000")
        try bench.runtime.start()
        bench.run(300)
        bench.ask("stop")
        bench.run(86_400)
        #expect(bench.power("onTodaySec")?.doubleValue == 0)
        #expect(bench.power("todaySec.off")?.doubleValue.map { $0 < 86_400 } == true)
    }

    @Test("Without a session fences are watched every 300 s at rest; without any the receiver stays off")
    func fenceDuty() throws {
        let bench = try LiveBench(motion: "still 20000")
        try bench.runtime.start()
        bench.run(300)
        bench.ask("stop")
        bench.run(3_600)
        #expect(bench.power("starts") == 1)
        bench.ask(
            "addGeofence", ["id": "far", "latitude": .fixed(472, places: 1), "longitude": 8, "radiusM": 100])
        bench.run(3_600)
        let starts = try #require(bench.power("starts")?.intValue)
        #expect((11...14).contains(starts), "\(starts)")
    }

    @Test("A fence that wants a fix to decide by gets it from a receiver that rests")
    func fenceAsks() throws {
        let bench = try LiveBench(motion: "still 20000")
        try bench.runtime.start()
        bench.run(600)
        #expect(bench.power("state") == "off")
        let here = try #require(Journey("parked-night")).trueState(at: 0).position
        bench.ask(
            "addGeofence",
            [
                "id": "here", "latitude": .fixed(Int64(here.latitudeE7), places: 7),
                "longitude": .fixed(Int64(here.longitudeE7), places: 7), "radiusM": 200,
            ])
        #expect(bench.power("state") == "starting" && bench.power("why") == "fixWanted")
        bench.run(30)
        #expect(bench.events.contains { if case .geofenceEnter = $0.event { $0.second < 610 } else { false } })
        #expect(bench.power("state") == "off", "near a boundary, but still")
    }

    @Test("At a start a u-blox 8 is told place and time, less sure with age; older and other ones are not")
    func aiding() throws {
        func aids(
            _ family: SimulatedFamily, _ control: ReceiverPowerControl? = nil
        ) throws -> [(second: Double, bytes: [UInt8])] {
            let bench = try LiveBench(family: family, motion: "still 20000") {
                if let control { $0.powerControl = control }
            }
            try bench.runtime.start()
            bench.run(2_000)
            return bench.stream.written.filter { $0.bytes.starts(with: [0xB5, 0x62, 0x13, 0x40]) }
        }
        let told = try aids(.ublox8)
        let places = told.filter { $0.bytes[6] == 0x01 }
        let times = told.filter { $0.bytes[6] == 0x10 }
        // Two looks; at the first start nothing is known.
        #expect(places.count == 2 && times.count == 2 && places.allSatisfy { $0.second > 900 })
        let centimetres = places.map { place in (0..<4).reduce(0) { $0 | Int(place.bytes[22 + $1]) << (8 * $1) } }
        #expect(centimetres.allSatisfy { (2_500_000...2_900_000).contains($0) }, "15 min at 30 m/s: \(centimetres)")
        #expect(try aids(.ublox6).isEmpty)
        #expect(try aids(.mtk).isEmpty)
        #expect(try aids(.ublox8, ReceiverPowerControl.none).isEmpty)
    }

    @Test("A machine that shakes for two hours costs a look every six minutes at most, and no false movement (F-40)")
    func vibration() throws {
        let bench = try LiveBench(motion: "still 600\nvibration 7200\nstill 9000")
        try bench.runtime.start()
        bench.run(8_000)
        let starts = try #require(bench.power("starts")?.intValue)
        let awake = Double(bench.stream.awakeMillis) / 8_000_000
        print("two hours of vibration: \(starts) starts, on for \(awake) of the time")
        #expect(starts <= 20 && bench.points.count == 1)
        #expect(awake < 0.05)
    }

    @Test("An external supply keeps it on, and its end lets it rest")
    func supply() throws {
        let bench = try LiveBench(motion: "still 20000")
        bench.battery.reading = BatteryReading(percent: 80, isCharging: true, supply: .usb)
        try bench.runtime.start()
        bench.run(900)
        #expect(bench.power("state") == "tracking" && bench.power("why") == "externalSupply")
        bench.battery.reading = BatteryReading(percent: 80, isCharging: false, supply: .none)
        bench.run(140)
        #expect(bench.power("state") == "off")
    }

    @Test("Without an accelerometer a parked tracker looks once a minute, and the drive is still there")
    func noAccelerometer() throws {
        let bench = try LiveBench(journey: "delivery", hasAccelerometer: false)
        let running = try LiveBench(journey: "delivery", hasAccelerometer: false) { $0.powerControl = .none }
        let journey = try #require(Journey("delivery"))
        for each in [bench, running] {
            try each.runtime.start()
            each.run(Int64(journey.durationSeconds))
        }
        #expect(bench.stream.receiver.sleeps >= 10)
        // A corner in the minute between two looks is cut off.
        let lengths = [bench, running].map { Double($0.points.last?.odometerMM ?? 0) / 1_000 }
        print("delivery without accelerometer: \(lengths)")
        #expect(abs(lengths[0] / lengths[1] - 1) < 0.1, "\(lengths)")
    }
}
