import Testing
import TrackerModel

@testable import DeviceSimulator

@Suite("Simulated LIS3DH")
struct SimulatedLIS3DHTests {
    private static let still = MotionScript([.init(.still, millis: 3_600_000)])

    private func chip(
        _ motion: MotionScript = still, _ setup: [(register: UInt8, value: UInt8)] = []
    ) -> SimulatedLIS3DH {
        var chip = SimulatedLIS3DH(motion: motion)
        for (register, value) in setup { chip.write(register, value, at: .zero) }
        return chip
    }

    private func byte(_ chip: inout SimulatedLIS3DH, _ register: UInt8, atMillis millis: Int64) -> UInt8? {
        chip.read(register, count: 1, at: Instant(millis: millis)).first
    }

    private func axes(_ bytes: [UInt8]) -> [Int16] {
        return stride(from: 0, to: bytes.count - 1, by: 2).map {
            Int16(bitPattern: UInt16(bytes[$0]) | UInt16(bytes[$0 + 1]) << 8)
        }
    }

    @Test("It answers with its identity and its power-on content")
    func identity() {
        var chip = chip()
        #expect(byte(&chip, 0x0F, atMillis: 0) == 0x33)
        #expect(byte(&chip, 0x1E, atMillis: 0) == 0x10)
        #expect(chip.read(0x20 | 0x80, count: 6, at: .zero) == [0x07, 0, 0, 0, 0, 0])
        #expect(byte(&chip, 0x27, atMillis: 60_000) == 0, "powered down: no data")
    }

    @Test("Read-only registers ignore writes, writable ones keep them, BOOT clears itself after 5 ms")
    func registers() {
        var chip = chip(Self.still, [(0x0F, 0x55), (0x31, 0xFF), (0x32, 0x10), (0x38, 0x15), (0x24, 0x80)])
        #expect(byte(&chip, 0x0F, atMillis: 1) == 0x33)
        #expect(byte(&chip, 0x31, atMillis: 1) == 0)
        #expect(byte(&chip, 0x32, atMillis: 1) == 0x10)
        #expect(byte(&chip, 0x38, atMillis: 1) == 0x15)
        #expect(byte(&chip, 0x24, atMillis: 4) == 0x80)
        #expect(byte(&chip, 0x24, atMillis: 5) == 0)
    }

    @Test(
        "The first sample comes one period after power-up",
        arguments: [(1, 1_000), (2, 100), (3, 40), (4, 20), (5, 10), (6, 5)])
    func rate(code: Int, periodMillis: Int64) {
        var chip = chip(Self.still, [(0x20, UInt8(code << 4 | 7))])
        #expect(byte(&chip, 0x27, atMillis: periodMillis - 1) == 0)
        #expect(byte(&chip, 0x27, atMillis: periodMillis) == 0x0F)
        #expect(byte(&chip, 0x27, atMillis: 2 * periodMillis) == 0xFF, "unread data was overwritten")
    }

    @Test("Reading the high bytes clears data-ready and overrun, axis by axis")
    func dataReady() {
        var chip = chip(Self.still, [(0x20, 0x47)])
        _ = chip.read(0x28 | 0x80, count: 2, at: Instant(millis: 20))
        #expect(byte(&chip, 0x27, atMillis: 21) == 0x06)
        _ = chip.read(0x2A | 0x80, count: 4, at: Instant(millis: 22))
        #expect(byte(&chip, 0x27, atMillis: 23) == 0)
    }

    @Test(
        "1 g reads as the same acceleration in every mode and range, left-justified",
        arguments: [
            // CTRL_REG1, CTRL_REG4, bits, mg a digit
            (0x47, 0x08, 12, 1.0), (0x47, 0x18, 12, 2.0), (0x47, 0x28, 12, 4.0), (0x47, 0x38, 12, 12.0),
            (0x47, 0x00, 10, 4.0), (0x47, 0x10, 10, 8.0), (0x4F, 0x00, 8, 16.0), (0x4F, 0x10, 8, 32.0),
        ])
    func resolution(control1: Int, control4: Int, bits: Int, milliG: Double) {
        var chip = chip(Self.still, [(0x23, UInt8(control4)), (0x20, UInt8(control1))])
        let axes = axes(chip.read(0x28 | 0x80, count: 6, at: Instant(millis: 20)))
        #expect(axes.allSatisfy { Int($0) % (1 << (16 - bits)) == 0 })
        let g = axes.map { Double(Int($0) >> (16 - bits)) * milliG / 1_000 }
        let magnitude = (g[0] * g[0] + g[1] * g[1] + g[2] * g[2]).squareRoot()
        #expect(abs(magnitude - 1) < 0.015 + milliG / 1_000)
    }

    @Test("Without auto-increment the same register is read again; with it the next ones")
    func autoIncrement() {
        var chip = chip()
        #expect(chip.read(0x0F, count: 3, at: .zero) == [0x33, 0x33, 0x33])
        #expect(chip.read(0x0F | 0x80, count: 3, at: .zero) == [0x33, 0, 0])
    }

    @Test("The FIFO fills at the data rate, passes its watermark and overruns at 32")
    func fifoTiming() {
        // 50 Hz, FIFO on, stream mode with watermark 25.
        var chip = chip(Self.still, [(0x24, 0x40), (0x2E, 0x99), (0x20, 0x47)])
        let expected: [(Int64, UInt8)] = [
            (19, 0x20), (20, 1), (500, 25), (520, 0x80 | 26), (620, 0x80 | 31), (640, 0xC0 | 31), (9_000, 0xC0 | 31),
        ]
        for (millis, source) in expected { #expect(byte(&chip, 0x2F, atMillis: millis) == source, "at \(millis) ms") }
    }

    @Test("Stream mode keeps the newest samples, FIFO mode the oldest; both come in order")
    func fifoModes() {
        for (mode, newest) in [(UInt8(0x80), true), (UInt8(0x40), false)] {
            var chip = chip(Self.still, [(0x23, 0x08), (0x24, 0x40), (0x2E, mode), (0x20, 0x47)])
            // 50 samples have come; the buffer holds 19…50 or 1…32.
            let read = axes(chip.read(0x28 | 0x80, count: 32 * 6, at: Instant(millis: 1_000)))
            var plain = self.chip(Self.still, [(0x23, 0x08), (0x20, 0x47)])
            let first: Int64 = newest ? 19 : 1
            let expected = (first..<first + 32).flatMap { index in
                axes(plain.read(0x28 | 0x80, count: 6, at: Instant(millis: index * 20)))
            }
            #expect(read == expected)
            #expect(byte(&chip, 0x2F, atMillis: 1_000) == 0x20, "empty after 32 sets")
        }
    }

    @Test("A burst rolls over from 0x2D to 0x28 with the FIFO on, and the last set repeats when it is empty")
    func fifoRollOver() {
        var chip = chip(Self.still, [(0x24, 0x40), (0x2E, 0x80), (0x20, 0x47)])
        let sets = axes(chip.read(0x28 | 0x80, count: 18, at: Instant(millis: 40)))
        #expect(sets.count == 9)
        #expect(sets[0..<3] != sets[3..<6])
        #expect(sets[3..<6] == sets[6..<9])
    }

    @Test("Bypass empties the FIFO")
    func fifoBypass() {
        var chip = chip(Self.still, [(0x24, 0x40), (0x2E, 0x80), (0x20, 0x47)])
        #expect(byte(&chip, 0x2F, atMillis: 200) == 0x8A)
        chip.write(0x2E, 0, at: Instant(millis: 200))
        #expect(byte(&chip, 0x2F, atMillis: 201) == 0x20)
    }

    @Test("The wake interrupt stays latched until it is read, and does not come from gravity behind the high-pass")
    func interruptLatch() {
        let motion = MotionScript([
            .init(.still, millis: 10_000), .init(.walking, millis: 5_000), .init(.still, millis: 60_000),
        ])
        // 50 Hz, high-pass on interrupt 1, ±4 g, latch, 3 × 32 mg on any high event.
        var chip = chip(motion, [(0x21, 0x01), (0x23, 0x18), (0x24, 0x08), (0x32, 3), (0x30, 0x2A), (0x20, 0x47)])
        #expect(byte(&chip, 0x31, atMillis: 9_900).map { $0 & 0x40 } == 0)
        #expect(byte(&chip, 0x31, atMillis: 40_000).map { $0 & 0x40 } == 0x40, "latched since the walk")
        #expect(byte(&chip, 0x31, atMillis: 40_100).map { $0 & 0x40 } == 0, "reading cleared it")
    }

    @Test("Without the latch the interrupt ends with the motion; without the high-pass gravity is above 96 mg")
    func interruptUnlatched() {
        let motion = MotionScript([.init(.walking, millis: 5_000), .init(.still, millis: 60_000)])
        var filtered = chip(motion, [(0x21, 0x01), (0x23, 0x18), (0x32, 3), (0x30, 0x2A), (0x20, 0x47)])
        #expect(byte(&filtered, 0x31, atMillis: 20_000) == 0)
        var plain = chip(Self.still, [(0x23, 0x18), (0x32, 3), (0x30, 0x2A), (0x20, 0x47)])
        #expect(byte(&plain, 0x31, atMillis: 1_000).map { $0 & 0x60 } == 0x60, "ZH and IA")
    }

    @Test("The interrupt waits for its duration")
    func interruptDuration() {
        var chip = chip(Self.still, [(0x23, 0x18), (0x24, 0x08), (0x32, 3), (0x33, 10), (0x30, 0x20), (0x20, 0x47)])
        #expect(byte(&chip, 0x31, atMillis: 200).map { $0 & 0x40 } == 0)
        #expect(byte(&chip, 0x31, atMillis: 220).map { $0 & 0x40 } == 0x40)
    }
}
