import Testing
import TrackerModel

@testable import DeviceSimulator

private struct Resting: AccelerationSource {
    func acceleration(at time: Instant) -> Acceleration { Acceleration(x: 0.25, y: -0.5, z: 1) }
}

extension SimulatedChip {
    fileprivate mutating func set(_ pairs: [(UInt8, UInt8)], atMillis millis: Int64 = 0) {
        for (register, value) in pairs { write(register, value, at: Instant(millis: millis)) }
    }
    fileprivate mutating func byte(_ register: UInt8, atMillis millis: Int64) -> UInt8 {
        read(register, count: 1, at: Instant(millis: millis))[0]
    }
}

@Suite("Simulated accelerometers beside the LIS3DH")
struct SimulatedChipTests {
    @Test("ADXL345: in standby nothing, then a FIFO of 33 that overruns; one transfer takes one sample")
    func adxl345() {
        var chip = SimulatedADXL345(motion: Resting())
        #expect(chip.byte(0x00, atMillis: 0) == 0xE5)
        chip.set([(0x31, 0x09), (0x2C, 0x09), (0x38, 0x99)])
        #expect(chip.byte(0x39, atMillis: 900) == 0)
        chip.set([(0x2D, 0x08)], atMillis: 1_000)
        #expect(chip.byte(0x39, atMillis: 1_019) == 0 && chip.byte(0x39, atMillis: 1_020) == 1)
        #expect(chip.byte(0x30, atMillis: 1_480) == 0x80 && chip.byte(0x30, atMillis: 1_500) == 0x82)
        // 256 digits a g: 64, −128, 256.
        #expect(chip.read(0x32, count: 6, at: Instant(millis: 1_500)) == [64, 0, 0x80, 0xFF, 0, 1])
        #expect(chip.byte(0x39, atMillis: 1_500) == 24)
        #expect(chip.byte(0x39, atMillis: 9_000) == 33 && chip.byte(0x30, atMillis: 9_000) == 0x83)
    }

    @Test(
        "MPU: asleep after a reset, big-endian at 8192 a g, and an overflow that cuts a sample",
        arguments: [false, true])
    func mpu(is6500: Bool) {
        var chip = SimulatedMPU(motion: Resting(), is6500: is6500)
        #expect(chip.byte(0x75, atMillis: 0) == (is6500 ? 0x70 : 0x68))
        chip.set([(0x6B, 0x80)])
        chip.set([(0x6B, 0), (0x1C, 0x08), (0x19, 19), (0x23, 0x08), (0x6A, 0x40), (0x38, 0x10)], atMillis: 100)
        #expect(chip.read(0x72, count: 2, at: Instant(millis: 120)) == [0, 6])
        #expect(chip.read(0x74, count: 6, at: Instant(millis: 120)) == [0x08, 0x00, 0xF0, 0x00, 0x20, 0x00])
        #expect(chip.byte(0x3A, atMillis: 121) & 0x10 == 0)
        // 4 s of 50 Hz are 1,200 bytes.
        let size = is6500 ? 512 : 1_024
        #expect(chip.read(0x72, count: 2, at: Instant(millis: 4_200)) == [UInt8(size >> 8), 0])
        #expect(chip.byte(0x3A, atMillis: 4_200) & 0x10 == 0x10 && chip.byte(0x3A, atMillis: 4_201) & 0x10 == 0)
    }

    @Test("BMI160: suspended until it is told, then little-endian at 8192 a g; past its end the FIFO reads 0x8000")
    func bmi160() {
        var chip = SimulatedBMI160(motion: Resting())
        #expect(chip.byte(0x00, atMillis: 0) == 0xD1 && chip.byte(0x03, atMillis: 0) == 0)
        chip.set([(0x7E, 0x11)], atMillis: 10)
        chip.set([(0x41, 0x05)], atMillis: 11)
        #expect(chip.byte(0x41, atMillis: 12) == 0x03, "it was still starting")
        chip.set([(0x41, 0x05), (0x40, 0x27), (0x47, 0x40)], atMillis: 20)
        #expect(chip.read(0x22, count: 2, at: Instant(millis: 40)) == [6, 0])
        #expect(chip.read(0x24, count: 8, at: Instant(millis: 40)) == [0, 0x08, 0, 0xF0, 0, 0x20, 0, 0x80])
        #expect(chip.read(0x22, count: 2, at: Instant(millis: 9_000)) == [0xFC, 0x03], "170 whole samples")
    }

    @Test("Recorded motion is played in g, drawn straight between its samples, and again after its end")
    func recording() throws {
        let csv = "time,x,y,z,steps\n1000000000,0,0,9.80665,1\n1500000000, 0, 4.903325, 0,1\n2000000000,0,0,9.80665,2\n"
        let source = try #require(AccelerationRecording(csv: csv))
        #expect(source.acceleration(at: .zero) == Acceleration(z: 1))
        let between = source.acceleration(at: Instant(millis: 250))
        #expect(abs(between.y - 0.25) < 1e-9 && abs(between.z - 0.5) < 1e-9)
        #expect(source.acceleration(at: Instant(millis: 1_500)) == Acceleration(y: 0.5))
        #expect(AccelerationRecording(csv: "1,0,0,1\n1,0,0,1\n") == nil)
    }

    @Test("What goes wrong is written a line each; a mistake is told with its line")
    func faults() throws {
        let list = try ChipFault.list(text: "# at night\n30 frozen for 20\n60.5 overrun\n")
        #expect(
            list == [ChipFault(.frozen, atMillis: 30_000, forMillis: 20_000), ChipFault(.overrun, atMillis: 60_500)])
        for text in ["30 melted", "x nak", "1 nak for", "1 nak during 5", "-1 nak"] {
            #expect(throws: ScriptFailure.self) { try ChipFault.list(text: "0 nak\n" + text) }
        }
    }

    @Test("A fault is over when its time is, and the chip has kept its settings")
    func bus() {
        var bus = ChipOnBus(
            motion: MotionScript([
                .init(.still, millis: 1_000), .init(.fault, millis: 500), .init(.still, millis: 9_000),
            ]),
            faults: [ChipFault(.stuck, atMillis: 3_000, forMillis: 100), ChipFault(.wrongID, atMillis: 4_000)])
        func at(_ millis: Int64, _ register: UInt8, value: UInt8? = nil) -> ChipOnBus.Answer {
            bus.transfer(to: 0x18, register, count: 1, value: value, at: Instant(millis: millis))
        }
        #expect(at(0, 0x20, value: 0x47) == .done([]))
        #expect(at(999, 0x0F) == .done([0x33]) && at(1_000, 0x0F) == .notAcknowledged)
        #expect(at(1_499, 0x20, value: 0) == .notAcknowledged && at(1_500, 0x20) == .done([0x47]))
        #expect(at(3_050, 0x20) == .timedOut && at(3_100, 0x20) == .done([0x47]))
        #expect(at(4_000, 0x0F) == .done([0xCC]) && at(4_000, 0x20) == .done([0x47]))
        #expect(bus.transfer(to: 0x19, 0x0F, count: 1, at: Instant(millis: 4_000)) == .notAcknowledged)
    }
}
