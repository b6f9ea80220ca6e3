import Testing
import TrackerModel

@testable import LinuxIO

@Suite("The rhythm of a receiver's bursts")
struct BurstRhythmTests {
    /// Says bursts of so many bytes at 9 600 bit/s, 10 bytes at a time, one a second; gives how often it was read.
    private func reads(_ bursts: [Int], _ rhythm: inout BurstRhythm, from second: Int64 = 0) -> [Int] {
        bursts.enumerated().map { index, length in
            let start = (second + Int64(index)) * 1_000
            var (read, count) = (0, 0)
            var at = start
            while read < length {
                // What the line has brought until now.
                let waiting = min(length, Int((at - start) * 96 / 100) + 10) - read
                if waiting == 0 {
                    at += 10
                    continue
                }
                read += waiting
                count += 1
                let rest = rhythm.heard(waiting, at: Instant(millis: at))
                at += rest > 0 ? rest : 10
                if rest > 0 { rhythm.rested(at: Instant(millis: at)) }
            }
            return count
        }
    }

    @Test("Bursts are followed until their length is known, and then read in two")
    func learns() {
        var rhythm = BurstRhythm(bitsPerSecond: 9_600)
        let counts = reads([500, 500, 500, 500, 500, 500], &rhythm)
        #expect(counts[0] > 40 && counts[2] > 40)
        #expect(counts[4...].allSatisfy { $0 == 2 }, "\(counts)")
    }

    @Test("A burst that is longer each third time costs no more than five reads")
    func long() {
        var rhythm = BurstRhythm(bitsPerSecond: 9_600)
        _ = reads([300, 305, 700, 298, 300, 710], &rhythm)
        let counts = reads([300, 302, 705], &rhythm, from: 6)
        #expect(counts[0] == 2 && counts[1] == 2 && counts[2] <= 5, "\(counts)")
    }

    @Test("A line that is never silent is followed as it was, and one that falls silent is learned then")
    func saturated() {
        var rhythm = BurstRhythm(bitsPerSecond: 9_600)
        for millis in stride(from: Int64(0), to: 5_000, by: 10) {
            #expect(rhythm.heard(10, at: Instant(millis: millis)) == 0)
        }
        let counts = reads([300, 300, 300, 300], &rhythm, from: 6)
        #expect(counts[1] > 20 && counts[3] == 2, "\(counts)")
    }

    @Test("No rest is longer than the rest of a second, whatever came before")
    func bounded() {
        var rhythm = BurstRhythm(bitsPerSecond: 4_800)
        _ = reads([700, 700, 700, 700], &rhythm)
        #expect(rhythm.heard(10, at: Instant(millis: 9_000)) == 950)
    }
}
