import CLinux
import Glibc
import Ports
import TestKit
import Testing
import TrackerModel

@testable import LinuxIO

@Suite("A receiver behind gpsd")
struct GPSDStreamTests {
    private static let sentence = "$GPRMC,100009.00,A,4807.038,N,01131.000,E,0.00,0.0,150626,,,A*62\r\n"
    /// UBX-NAV-EOE.
    private static let frame: [UInt8] = [0xB5, 0x62, 0x01, 0x61, 0x04, 0, 0, 0, 0, 0, 0x66, 0x29]

    /// Opens, and runs the loop until a loss, or until as many bytes have come.
    private struct Outcome {
        var bytes: [UInt8] = []
        var loss: ByteStreamFailure?
    }

    private func listen(
        to gpsd: ScriptedGPSD, host: String = "127.0.0.1", until count: Int = .max, timeScale: Double = 1
    ) throws -> Outcome {
        let reactor = try LinuxReactor(timeScale: timeScale)
        let stream = GPSDStream(address: try #require(GPSDAddress("gpsd://\(host):\(gpsd.port)")), reactor: reactor)
        var outcome = Outcome()
        try stream.open(baud: 9_600) { event in
            switch event {
            case .bytes(let bytes):
                #expect(!bytes.isEmpty)
                outcome.bytes += bytes
            case .lost(let failure): outcome.loss = failure
            }
            if outcome.loss != nil || outcome.bytes.count >= count { reactor.stop() }
        }
        try Loop.run(reactor)
        stream.close()
        return outcome
    }

    @Test("The receiver's bytes arrive as they are, and nothing of what gpsd says itself")
    func raw() throws {
        let sent = Array(Self.sentence.utf8) + Self.frame + [0x0A, 0x00, 0xFF]
        let gpsd = ScriptedGPSD(ScriptedGPSD.streaming(.say(sent)))
        let outcome = try listen(to: gpsd, until: sent.count)
        #expect(outcome.bytes == sent)
        #expect(outcome.loss == nil)
        #expect(gpsd.heard == ["?DEVICES;\n", "?WATCH={\"enable\":true,\"raw\":2,\"nmea\":false};\n"])
    }

    @Test("Answers split at any byte are understood alike, and bytes right behind the last one are not lost")
    func splitAnswers() {
        let devices = ScriptedGPSD.devices("/dev/ttyS9")
        let stream = Array((ScriptedGPSD.version + devices + devices + ScriptedGPSD.watch).utf8) + Self.frame
        for cut in 0...stream.count {
            var conversation = GPSDConversation()
            let steps = conversation.take(Array(stream[..<cut])) + conversation.take(Array(stream[cut...]))
            let bytes = steps.flatMap { if case .bytes(let bytes) = $0 { bytes } else { [UInt8]() } }
            #expect(bytes == Self.frame)
            #expect(steps.count { if case .send = $0 { true } else { false } } == 2)
            #expect(steps.contains(.watching))
            #expect(conversation.device == "/dev/ttyS9")
        }
    }

    @Test("Any bytes at all end in a refusal or in nothing, never in a trap", arguments: 0..<20)
    func garbage(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        // The bytes that mean something, and one that may be anything.
        let marks: [UInt8] = [0x0A, 0x7B, 0x22, 0x24, 0x2A, 0xB5, 0x62]
        for start in ["", "{\"class\":", ScriptedGPSD.version, ScriptedGPSD.version + ScriptedGPSD.devices("/dev/a")] {
            let noise = (0..<3_000).map { _ in
                marks.randomElement(using: &random).flatMap { Bool.random(using: &random) ? $0 : nil }
                    ?? UInt8.random(in: 0...255, using: &random)
            }
            var conversation = GPSDConversation()
            var frames = GPSDFrameCheck()
            _ = conversation.take(Array(start.utf8) + noise)
            _ = conversation.fallBack()
            _ = conversation.take(noise)
            frames.note(noise)
            #expect(!conversation.isStreaming)
        }
    }

    @Test("A greeting that never ends does not fill the memory")
    func endlessGreeting() {
        var conversation = GPSDConversation()
        var refusals = 0
        for _ in 0..<200 {
            refusals += conversation.take([UInt8](repeating: 0x41, count: 1_000)).count
        }
        #expect(refusals == 1)
    }

    @Test("Of several receivers one is asked for, the one that gpsd has opened")
    func severalDevices() throws {
        var conversation = GPSDConversation()
        _ = conversation.take(Array(ScriptedGPSD.version.utf8))
        let list =
            #"{"class":"DEVICES","devices":[{"class":"DEVICE","path":"/dev/a","activated":0},{"class":"DEVICE","path":"/dev/b","activated":1.5}]}"#
        let steps = conversation.take(Array((list + "\n").utf8))
        #expect(
            steps == [.send(Array("?WATCH={\"enable\":true,\"raw\":2,\"nmea\":false,\"device\":\"/dev/b\"};\n".utf8))])
    }

    @Test("When nothing that comes can be decoded, gpsd's own NMEA is asked for")
    func fallsBack() throws {
        let foreign: [UInt8] = [0xA0, 0xA2, 0x00, 0x02, 0x0A, 0x24, 0x00, 0x2E, 0xB0, 0xB3]
        let gpsd = ScriptedGPSD(
            ScriptedGPSD.streaming(
                .say(foreign), .hear("\"nmea\":true"), .say(foreign),
                .text(ScriptedGPSD.devices("/dev/ttyS9") + ScriptedGPSD.watch + Self.sentence)))
        let outcome = try listen(to: gpsd, until: foreign.count + Self.sentence.utf8.count)
        #expect(outcome.bytes == foreign + Array(Self.sentence.utf8))
        #expect(gpsd.heard.last == "?WATCH={\"enable\":true,\"raw\":0,\"nmea\":true};\n")
    }

    @Test("A gpsd that sends nothing of its receiver is told apart from a bad cable, before the link gives up")
    func silentReceiver() throws {
        let gpsd = ScriptedGPSD(
            ScriptedGPSD.streaming(
                .hear("\"nmea\":true"), .text(ScriptedGPSD.devices("/dev/ttyS9") + ScriptedGPSD.watch)))
        let reactor = try LinuxReactor()
        let begun = reactor.now
        let loss = try listen(to: gpsd).loss
        #expect(reactor.now.millis(since: begun) < 10_000)
        #expect(loss?.code == .io)
        #expect(loss?.cause.contains("/dev/ttyS9") == true)
        #expect(loss?.remedy.contains("cgps") == true)
    }

    @Test("A gpsd without a receiver says what to do")
    func noDevice() throws {
        let gpsd = ScriptedGPSD([.text(ScriptedGPSD.version), .hear("?DEVICES"), .text(ScriptedGPSD.devices())])
        let loss = try listen(to: gpsd).loss
        #expect(loss?.code == .absent)
        #expect(loss?.remedy.contains("gpsdctl add") == true)
    }

    @Test(
        "What is no gpsd is named with what it says",
        arguments: ["SSH-2.0-OpenSSH_9.2\r\n", "HTTP/1.1 400 Bad Request\r\n", "{\"class\":\"TPV\"}\n", "\r\n"])
    func notGPSD(greeting: String) throws {
        let loss = try listen(to: ScriptedGPSD([.text(greeting)])).loss
        #expect(loss?.code == .unsuitable)
        #expect(loss?.remedy.contains("2947") == true)
    }

    @Test("An error of gpsd is passed on in its words")
    func error() throws {
        let gpsd = ScriptedGPSD([
            .text(ScriptedGPSD.version), .hear("?DEVICES"),
            .text("{\"class\":\"ERROR\",\"message\":\"Unrecognized request '?DEVICES;'\"}\r\n"),
        ])
        let loss = try listen(to: gpsd).loss
        #expect(loss?.code == .unsuitable)
        #expect(loss?.cause.contains("Unrecognized request") == true)
    }

    @Test("A server that is silent is given up after five seconds, in time of this machine")
    func silentServer() throws {
        let clock = ContinuousClock()
        let begun = clock.now
        let loss = try listen(to: ScriptedGPSD([.pause(millis: 8_000)]), timeScale: 4).loss
        #expect(loss?.code == .io)
        #expect(loss?.cause.contains("does not answer") == true)
        #expect(clock.now - begun > .seconds(4))
    }

    @Test("A gpsd that ends mid-stream is a loss after what it had sent, and the stream can be opened again")
    func closedAndBack() throws {
        let gpsd = ScriptedGPSD(
            ScriptedGPSD.streaming(.text(Self.sentence), .hangUp), ScriptedGPSD.streaming(.say(Self.frame)))
        let reactor = try LinuxReactor()
        let stream = GPSDStream(address: try #require(GPSDAddress("gpsd://localhost:\(gpsd.port)")), reactor: reactor)
        var bytes: [UInt8] = []
        var losses: [ByteStreamFailure.Code] = []
        func take(_ event: ByteStreamEvent) {
            switch event {
            case .bytes(let part): bytes += part
            case .lost(let failure): losses.append(failure.code)
            }
            if !losses.isEmpty || bytes.count >= Self.frame.count { reactor.stop() }
        }
        try stream.open(baud: 9_600, take)
        while losses.isEmpty { try Loop.run(reactor) }
        #expect(bytes == Array(Self.sentence.utf8))
        #expect(losses == [.unplugged])
        losses = []
        bytes = []
        try stream.open(baud: 4_800, take)
        try Loop.run(reactor)
        #expect(bytes == Self.frame)
    }

    @Test("Nothing arrives after close, and closing inside the handler is harmless")
    func closed() throws {
        let gpsd = ScriptedGPSD(ScriptedGPSD.streaming(.text(Self.sentence), .pause(millis: 30), .text(Self.sentence)))
        let reactor = try LinuxReactor()
        let stream = GPSDStream(address: try #require(GPSDAddress("gpsd://127.0.0.1:\(gpsd.port)")), reactor: reactor)
        var count = 0
        try stream.open(baud: 9_600) { _ in
            count += 1
            stream.close()
        }
        try Loop.idle(reactor, millis: 300)
        #expect(count == 1)
    }

    @Test("Nobody listening is refused at once, with how to start gpsd")
    func refused() throws {
        let reactor = try LinuxReactor()
        let stream = GPSDStream(address: try #require(GPSDAddress("gpsd://127.0.0.1:1")), reactor: reactor)
        var loss: ByteStreamFailure?
        do throws(ByteStreamFailure) {
            try stream.open(baud: 9_600) { event in
                if case .lost(let failure) = event { loss = failure }
                reactor.stop()
            }
        } catch {
            loss = error
        }
        if loss == nil { try Loop.run(reactor) }
        #expect(loss?.code == .absent)
        #expect(loss?.remedy.contains("systemctl start gpsd.socket") == true)
    }

    @Test("A name that does not exist is looked up beside the loop and told as such")
    func unknownHost() throws {
        let reactor = try LinuxReactor()
        let address = try #require(GPSDAddress("gpsd://no-such-host.invalid"))
        let stream = GPSDStream(address: address, reactor: reactor)
        var loss: ByteStreamFailure?
        let begun = reactor.now
        try stream.open(baud: 9_600) { event in
            if case .lost(let failure) = event { loss = failure }
            reactor.stop()
        }
        #expect(reactor.now.millis(since: begun) < 500)
        try Loop.run(reactor)
        // Without a network the name service cannot say that it does not exist.
        #expect(loss?.code == .absent || loss?.code == .io)
        #expect(loss?.remedy.contains("address") == true || loss?.cause.contains("does not answer") == true)
    }

    @Test("Commands are refused with where to give them instead")
    func commands() throws {
        let stream = GPSDStream(address: try #require(GPSDAddress("gpsd://127.0.0.1")), reactor: try LinuxReactor())
        var failure: ByteStreamFailure?
        do throws(ByteStreamFailure) { try stream.write([1]) } catch { failure = error }
        #expect(failure?.code == .unsuitable)
        #expect(failure?.remedy.contains("ubxtool") == true)
    }

    @Test(
        "Only a gpsd of this machine counts as simulated",
        arguments: [
            ("gpsd://localhost", false), ("gpsd://127.0.0.1:2000", false), ("gpsd://[::1]", false),
            ("gpsd://192.168.1.4", true), ("gpsd://127.example.org", true), ("gpsd://boat", true),
        ])
    func realness(text: String, isReal: Bool) throws {
        let stream = GPSDStream(address: try #require(GPSDAddress(text)), reactor: try LinuxReactor())
        #expect(stream.isRealDevice == isReal)
        #expect(stream.name.hasPrefix(text))
    }

    @Test(
        "An address is a host and a port, and nothing else",
        arguments: [
            ("gpsd://a.b-c:80", "a.b-c", 80), ("gpsd://[fe80::1%eth0]:1", "fe80::1%eth0", 1), ("gpsd://x", "x", 2_947),
            ("gpsd://", nil, 0), ("gpsd://:80", nil, 0), ("gpsd://x:", nil, 0), ("gpsd://x:0", nil, 0),
            ("gpsd://x:65536", nil, 0), ("gpsd://x:+1", nil, 0), ("gpsd://x/y", nil, 0), ("gpsd://[x]", nil, 0),
            ("gpsd://[::1", nil, 0), ("gpsd://[::1]x", nil, 0), ("gps://x", nil, 0), ("gpsd://x y", nil, 0),
            ("gpsd://x:99999999999999999999", nil, 0),
        ] as [(String, String?, Int)])
    func address(text: String, host: String?, port: Int) {
        let address = GPSDAddress(text)
        #expect(address?.host == host)
        if host != nil { #expect(address?.port == port) }
    }
}
