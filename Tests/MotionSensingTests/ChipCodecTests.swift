import Testing
import TrackerModel

@testable import MotionSensing

@Suite("Register codecs of the accelerometers")
struct ChipCodecTests {
    @Test("LIS3DH words are 12 bits left-justified, 2 mg a digit, oldest first")
    func samples() {
        let bytes: [UInt8] = [0x00, 0x00, 0x40, 0x1F, 0xC0, 0xE0, 0x10, 0x00, 0xF0, 0xFF, 0x00, 0x80]
        let got = LIS3DH().format.samples(bytes + [0x12], newest: Instant(millis: 1_000), periodNanos: 20_000_000)
        #expect(got.map(\.instant.millis) == [980, 1_000])
        #expect(got[0].x == 0 && abs(got[0].y - 1.0) < 1e-9 && abs(got[0].z + 1.0) < 1e-9)
        #expect(abs(got[1].x - 0.002) < 1e-12 && abs(got[1].y + 0.002) < 1e-12 && abs(got[1].z + 4.096) < 1e-9)
    }

    @Test(
        "One g, minus one g and the end of ±4 g of the other chips",
        arguments: [
            ("ADXL345", [0x00, 0x01, 0x00, 0xFF, 0xFF, 0x03], 3.996_09),
            ("MPU-6050", [0x20, 0x00, 0xE0, 0x00, 0x7F, 0xFF], 3.999_88),
            ("MPU-6500", [0x20, 0x00, 0xE0, 0x00, 0x7F, 0xFF], 3.999_88),
            ("BMI160", [0x00, 0x20, 0x00, 0xE0, 0xFF, 0x7F], 3.999_88),
        ])
    func words(model: String, bytes: [Int], end: Double) throws {
        let chip = try #require(AccelerometerChips.all.first { $0.model == model })
        let got = chip.format.samples(bytes.map { UInt8($0) }, newest: .zero, periodNanos: 0)
        #expect(got.count == 1 && got[0].x == 1 && got[0].y == -1 && abs(got[0].z - end) < 1e-5)
    }

    @Test(
        "FIFO states read level and overrun",
        arguments: [
            ("LIS3DH or LIS2DH12", [0x20], 0, false), ("LIS3DH or LIS2DH12", [0x9F], 31, false),
            ("LIS3DH or LIS2DH12", [0xDF], 32, true), ("ADXL345", [0x83, 33], 33, true),
            ("ADXL345", [0x82, 25], 25, false), ("MPU-6050", [0x01, 0, 150], 25, false),
            ("MPU-6050", [0x11, 0x04, 0x00], 170, true), ("MPU-6500", [0x10, 0x02, 0x00], 85, true),
            ("BMI160", [150, 0], 25, false), ("BMI160", [0xFC, 0x03], 170, true), ("BMI160", [0x00], 0, false),
        ])
    func fifo(model: String, bytes: [Int], level: Int, overrun: Bool) throws {
        let chip = try #require(AccelerometerChips.all.first { $0.model == model })
        #expect(chip.fifoState(bytes.map { UInt8($0) }) == FIFOState(level: level, isOverrun: overrun))
    }

    @Test("The next rate of the chip is taken, from 25 to 200 Hz at least, and one that is slow for rest")
    func rates() {
        for chip in AccelerometerChips.all {
            for wish in [25.0, 26, 50, 100, 150, 200] {
                let rate = chip.rateHz(atLeast: wish)
                #expect(rate >= wish && rate <= 2 * wish, "\(chip.model) at \(wish) Hz")
            }
            #expect((10...12.5).contains(chip.rateHz(atLeast: 10)))
        }
    }

    @Test("A full FIFO comes out whole, in reads that a bus can do")
    func reads() {
        for chip in AccelerometerChips.all {
            for count in [1, 25, 42, 43, chip.fifoDepth] {
                let reads = chip.fifoReads(count: count)
                #expect(reads.reduce(0) { $0 + $1.count } == 6 * count)
                #expect(reads.allSatisfy { (1...252).contains($0.count) && $0.count % 6 == 0 })
            }
        }
    }

    @Test("No two chips can be taken for each other at an address that both may have")
    func identities() {
        let keys = AccelerometerChips.all.flatMap { chip in
            chip.addresses.flatMap { address in
                chip.identities.map { "\(address) \(chip.identityRegister) \($0)" }
            }
        }
        #expect(Set(keys).count == keys.count)
    }

    @Test("LIS3DH is set to 50 Hz, ±4 g in high resolution, and a stream that calls at 25 samples")
    func configuration() {
        let steps = LIS3DH().configuration(rateHz: 50, watermark: 25)
        #expect(steps.contains(.write(0x20, 0x47)) && steps.contains(.write(0x23, 0x98)))
        #expect(steps.last == .write(0x2E, 0x99))
    }

    /// Readings of one value on all axes.
    private func readings(_ test: SelfTest, _ g: (Double, Double, Double)) -> [UInt8] {
        [g.0, g.1, g.2].flatMap { value -> [UInt8] in
            let word = UInt16(bitPattern: Int16(value * test.format.countsPerG) << Int16(test.format.shift))
            let bytes = [UInt8(word & 0xFF), UInt8(word >> 8)]
            return test.format.isBigEndian ? bytes.reversed() : bytes
        }
    }

    @Test("A mass that does not move fails every chip's self-test, one that moves as the data sheet says passes")
    func selfTests() {
        // Factory values: 16 of five bits, or 100.
        let factory: [String: [UInt8]] = ["MPU-6050": [0x80, 0x80, 0x80, 0], "MPU-6500": [100, 100, 100]]
        let push = [
            "LIS3DH or LIS2DH12": (-0.3, 0.3, 0.3), "ADXL345": (1, -1, 1.5), "MPU-6050": (0.56, 0.56, 0.56),
            "MPU-6500": (0.43, 0.43, 0.43), "BMI160": (3, 3, 3),
        ]
        for chip in AccelerometerChips.all {
            let test = chip.selfTest
            let rest = readings(test, (0.01, -0.01, 0.99))
            let bytes = factory[chip.model] ?? []
            #expect(!test.result(first: rest, second: rest, factory: bytes).passed, "\(chip.model)")
            let change = push[chip.model] ?? (0, 0, 0)
            let moved = readings(test, (0.01 + change.0, -0.01 + change.1, 0.99 + change.2))
            #expect(test.result(first: rest, second: moved, factory: bytes).passed, "\(chip.model)")
        }
    }

    @Test("An MPU-6050 without factory values is not judged, an MPU-6500 by the fixed limits")
    func withoutFactoryValues() {
        let old = MPU(.mpu6050).selfTest
        let result = old.result(
            first: readings(old, (0, 0, 0)), second: readings(old, (0.5, 0.5, 0.5)), factory: [0, 0, 0, 0])
        #expect(!result.isJudged && !result.passed)
        let new = MPU(.mpu6500).selfTest
        #expect(
            new.result(first: readings(new, (0, 0, 0)), second: readings(new, (0.3, 0.3, 0.3)), factory: [0, 0, 0])
                .passed)
    }

    @Test("The factory's five bits are put together from two registers")
    func factoryBits() throws {
        // 21 for X: 101 above, 01 in bits 5 and 4.
        let limits = MPU(.mpu6050).selfTest.limits(0, [0xA0, 0, 0, 0x10])
        // 4096 · 0.34 · (0.92/0.34)^(20/30) digits at 4096 a g, 14 % around.
        let range = try #require(limits)
        #expect(abs(range.lowerBound - 0.86 * 0.6602) < 0.001 && abs(range.upperBound - 1.14 * 0.6602) < 0.001)
    }
}
