import MotionSensing
import Testing
import TrackerModel

@Suite("LIS3DH register codec")
struct LIS3DHTests {
    @Test("FIFO words are 12 bits left-justified, 2 mg a digit, oldest first")
    func samples() {
        let bytes: [UInt8] = [0x00, 0x00, 0x40, 0x1F, 0xC0, 0xE0, 0x10, 0x00, 0xF0, 0xFF, 0x00, 0x80]
        let got = LIS3DH.samples(bytes + [0x12], newest: Instant(millis: 1_000), periodNanos: 20_000_000)
        #expect(got.map(\.instant.millis) == [980, 1_000])
        #expect(got[0].x == 0 && abs(got[0].y - 1.0) < 1e-9 && abs(got[0].z + 1.0) < 1e-9)
        #expect(abs(got[1].x - 0.002) < 1e-12 && abs(got[1].y + 0.002) < 1e-12 && abs(got[1].z + 4.096) < 1e-9)
    }

    @Test(
        "FIFO state reads level and overrun",
        arguments: [(0x20, 0, false), (0x05, 5, false), (0x9F, 31, false), (0xDF, 32, true)])
    func fifo(source: Int, level: Int, overrun: Bool) {
        let state = LIS3DH.FIFOState(source: UInt8(source))
        #expect(state.level == level && state.isOverrun == overrun)
    }

    @Test(
        "The chip's next rate is taken", arguments: [(1, 10), (25, 25), (26, 50), (50, 50), (150, 200), (1_000, 400)])
    func rates(wish: Int, rate: Int) { #expect(LIS3DH.rate(atLeast: wish) == rate) }

    @Test("Configuration sets the rate code, ±4 g high resolution and stream mode")
    func configuration() {
        let writes = LIS3DH.configuration(rateHz: 50)
        #expect(writes.first == RegisterWrite(0x20, 0x47))
        #expect(writes.contains(RegisterWrite(0x23, 0x98)))
        #expect(writes.last == RegisterWrite(0x2E, 0x80))
    }
}
