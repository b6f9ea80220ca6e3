import GNSSCodecs
import Ports
import TestKit
import TrackerModel

@testable import TrackerRuntime

/// A receiver at the other end of a bench's line: its bytes mean something at its own speed only, it answers commands,
/// and it forgets them with its power.
///
/// Answers go to the link as the decoder would give them, so that these tests are about the link alone.
final class ScriptedReceiver {
    private let bench: RuntimeBench
    private var random: SeededRandom
    var baud: Int
    var identity: ReceiverIdentity?
    var isSilent = false
    /// Commands lost before the first one is understood (F-16).
    var deafness = 0
    /// Milliseconds of jitter either way.
    var jitterMillis = 0
    var suffix = ""
    private(set) var understood = 0
    private var second: Int64 = 0
    private let phaseMillis: Int64

    init(_ bench: RuntimeBench, baud: Int, phaseMillis: Int64 = 0, seed: UInt64 = 1) {
        self.bench = bench
        self.baud = baud
        self.phaseMillis = phaseMillis
        random = SeededRandom(seed: seed)
        bench.stream.onWrite = { [unowned self] in take($0) }
        schedule()
    }

    private func schedule() {
        let jitter = jitterMillis == 0 ? 0 : Int.random(in: -jitterMillis...jitterMillis, using: &random)
        let due = Instant(millis: max(bench.reactor.now.millis + 1, phaseMillis + second * 1_000 + Int64(jitter)))
        second += 1
        bench.reactor.schedule(at: due, toleranceMillis: 0) { [weak self] in
            guard let self else { return }
            if !isSilent { speak() }
            schedule()
        }
    }

    private func speak() {
        let line = bench.stream
        guard line.baud == baud else { return noise(64) }
        line.deliver(bench.epoch(east: Double(second), speedMps: 1) + suffix)
    }

    func noise(_ count: Int) {
        let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
        bench.stream.handler?(.bytes(bytes))
    }

    private func take(_ bytes: [UInt8]) {
        guard bench.stream.baud == baud, let identity else { return }
        if deafness > 0 { return deafness -= 1 }
        understood += 1
        answer { [bench] in
            guard bytes.count > 6, bytes[0] == 0xB5 else { return }
            if bytes[2] == 0x0A {
                bench.runtime.receiver.take(.identity(identity))
            } else {
                bench.runtime.receiver.take(.reply(.ubx(isAccepted: true, messageClass: bytes[2], messageID: bytes[3])))
            }
        }
        // UBX-CFG-PRT: the speed is at byte 8 of the payload.
        if bytes.starts(with: [0xB5, 0x62, 0x06, 0x00]), bytes.count == 28 {
            baud = (0..<4).reduce(0) { $0 | Int(bytes[14 + $1]) << ($1 * 8) }
        }
    }

    private func answer(_ body: @escaping () -> Void) {
        bench.reactor.schedule(at: bench.reactor.now.advanced(byMillis: 40), toleranceMillis: 0, body)
    }
}
