import Testing
import TrackerModel

@testable import DeviceSimulator

/// The other end of a simulated receiver's line: sends commands, keeps what comes, and reads it by its own eyes.
struct ReceiverBench {
    struct Frame: Equatable {
        var id: UInt16
        var payload: [UInt8]

        func u1(_ at: Int) -> Int { Int(payload[at]) }
        func u2(_ at: Int) -> Int { u1(at) | u1(at + 1) << 8 }
        func u4(_ at: Int) -> Int { u2(at) | u2(at + 2) << 16 }
        func i4(_ at: Int) -> Int { Int(Int32(truncatingIfNeeded: u4(at))) }
    }

    private(set) var receiver: SimulatedReceiver
    /// The rate this end listens and sends at; `nil` follows the receiver.
    var baud: Int?
    private(set) var bytes: [UInt8] = []
    private(set) var chunks: [LineChunk] = []
    private(set) var now = Instant.zero

    init(
        _ family: SimulatedFamily, start: ReceiverStart = .hot, baud: Int? = nil, faults: String = "",
        utc: UTCTime? = nil,
        journey name: String = "urban-drive", seed: UInt64 = 1
    ) throws {
        var options = SimulatedReceiver.Options()
        options.family = family
        options.start = start
        options.baud = baud
        options.seed = seed
        options.utc = utc
        options.faults = try FaultScript(text: faults)
        receiver = SimulatedReceiver(try #require(Journey(name)), options: options)
    }

    mutating func run(seconds: Double) {
        now = now.advanced(byNanos: Int64(seconds * 1e9))
        take()
    }

    mutating func send(_ command: [UInt8]) {
        receiver.receive(command, baud: baud ?? receiver.baud, at: now)
    }

    mutating func send(_ id: UInt16, _ payload: [UInt8] = []) { send(UBXFrame.bytes(id, payload)) }
    mutating func send(sentence: String) { send(Array(NMEASentence.line([sentence]).utf8)) }
    mutating func setPower(_ isOn: Bool) { receiver.setPower(isOn, at: now) }
    mutating func open() {
        receiver.portOpened(at: now)
        take()
    }
    mutating func mute() { receiver.isMuted = true }
    mutating func forget() { (bytes, chunks) = ([], []) }

    private mutating func take() {
        for chunk in receiver.advance(to: now) {
            chunks.append(chunk)
            bytes += LineGarble.read(chunk.bytes, sentAt: chunk.baud, readAt: baud ?? chunk.baud)
        }
    }

    /// UBX frames with a right checksum.
    var frames: [Frame] {
        var found: [Frame] = []
        var at = 0
        while at + 8 <= bytes.count {
            let length = Int(bytes[at + 4]) | Int(bytes[at + 5]) << 8
            let end = at + 8 + length
            if bytes[at] == 0xB5, bytes[at + 1] == 0x62, end <= bytes.count {
                var (a, b) = (0, 0)
                for byte in bytes[at + 2..<end - 2] {
                    a = (a + Int(byte)) % 256
                    b = (b + a) % 256
                }
                if a == bytes[end - 2], b == bytes[end - 1] {
                    let id = UInt16(bytes[at + 2]) << 8 | UInt16(bytes[at + 3])
                    found.append(Frame(id: id, payload: Array(bytes[at + 6..<end - 2])))
                    at = end
                    continue
                }
            }
            at += 1
        }
        return found
    }

    func frames(_ id: UInt16) -> [Frame] { frames.filter { $0.id == id } }

    /// Fields of the sentences with a right checksum.
    var sentences: [[String]] {
        bytes.split(separator: 0x0A).compactMap { line -> [String]? in
            guard let start = line.lastIndex(of: UInt8(ascii: "$")), let star = line.lastIndex(of: UInt8(ascii: "*")),
                start < star, line.distance(from: star, to: line.endIndex) >= 3
            else { return nil }
            let body = line[(start + 1)..<star]
            let sum = UInt8(String(decoding: line[(star + 1)...(star + 2)], as: UTF8.self), radix: 16)
            guard body.reduce(0, ^) == sum else { return nil }
            return String(decoding: body, as: UTF8.self).split(separator: ",", omittingEmptySubsequences: false).map(
                String.init)
        }
    }

    func sentences(_ kind: String) -> [[String]] { sentences.filter { $0[0].hasSuffix(kind) } }
    var text: String { String(decoding: bytes, as: UTF8.self) }
}

/// Little-endian bytes of a value.
func little(_ value: Int, _ count: Int) -> [UInt8] { (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }

/// CFG-PRT of UART1 with both protocols on.
func portCommand(baud: Int, sends: Int = 3) -> [UInt8] {
    joined([1, 0, 0, 0], little(0x08D0, 4), little(baud, 4), little(3, 2), little(sends, 2), [0, 0, 0, 0])
}

/// CFG-VALSET of one value.
func valueCommand(_ layers: UInt8, _ key: Int, _ value: Int, _ width: Int) -> [UInt8] {
    joined([0, layers, 0, 0], little(key, 4), little(value, width))
}

/// CFG-CFG.
func storeCommand(clear: Int = 0, save: Int = 0, load: Int = 0, devices: UInt8) -> [UInt8] {
    joined(little(clear, 4), little(save, 4), little(load, 4), [devices])
}

/// CFG-RATE in GPS time, a solution for every measurement.
func rateCommand(_ millis: Int) -> [UInt8] { joined(little(millis, 2), [1, 0, 1, 0]) }

func joined(_ parts: [UInt8]...) -> [UInt8] { parts.flatMap { $0 } }
