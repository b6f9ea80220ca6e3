import GNSSCodecs
import Testing
import TrackerModel

@testable import TrackerRuntime

@Suite("Caring for the receiver")
struct ReceiverCareTests {
    struct Bench {
        var machine: ReceiverCareMachine
        var now = Instant.zero
        var sent: [ReceiverRequest] = []
        var speeds: [Int] = []
        var notes: [String] = []
        var cyclicChanges = 0
        /// What a receiver says to a request; `nil`: nothing.
        var answer: (ReceiverRequest, ReceiverDialect) -> ReceiverCareMachine.Event?
        private var pending: [ReceiverCareMachine.Event] = []

        init(
            rateHz: Int = 1, configure: Bool = true, mayChangeSpeed: Bool = true,
            answer: @escaping (ReceiverRequest, ReceiverDialect) -> ReceiverCareMachine.Event? = { _, _ in nil }
        ) {
            machine = ReceiverCareMachine(
                wishes: .init(configure: configure, rateHz: rateHz, mayChangeSpeed: mayChangeSpeed))
            self.answer = answer
        }

        mutating func send(_ event: ReceiverCareMachine.Event) {
            pending.append(event)
            while !pending.isEmpty {
                var actions: [ReceiverCareMachine.Action] = []
                machine.handle(pending.removeFirst(), at: now, into: &actions)
                for action in actions {
                    switch action {
                    case .send(let request, let dialect):
                        sent.append(request)
                        if let event = answer(request, dialect) { pending.append(event) }
                    case .changeSpeed(let baud): speeds.append(baud)
                    case .diagnose(let note): notes.append(note)
                    case .cyclicChanged: cyclicChanges += 1
                    }
                }
            }
        }

        mutating func advance(toMillis millis: Int64) {
            let target = Instant(millis: millis)
            while machine.deadline <= target {
                now = max(now, machine.deadline)
                send(.timerFired)
            }
            now = target
        }
    }

    static let m8 = ReceiverIdentity(family: .ublox, model: "NEO-M8N", firmware: "SPG 3.01", protocolVersion: 1_800)
    static let m9 = ReceiverIdentity(family: .ublox, model: "NEO-M9N", firmware: "SPG 4.04", protocolVersion: 3_201)
    static let m10 = ReceiverIdentity(family: .ublox, model: "MAX-M10S", firmware: "SPG 5.10", protocolVersion: 3_410)
    static let u6 = ReceiverIdentity(family: .ublox, model: "NEO-6M", firmware: "7.03", protocolVersion: nil)

    /// The answer of a receiver that does everything.
    static func obeying(_ identity: ReceiverIdentity) -> (ReceiverRequest, ReceiverDialect) -> ReceiverCareMachine
        .Event?
    {
        { request, dialect in request == .identity ? .identified(identity) : .replied(done(request, dialect, true)) }
    }

    static func done(_ request: ReceiverRequest, _ dialect: ReceiverDialect, _ isAccepted: Bool) -> ReceiverReply {
        let frame = request.bytes(in: dialect)
        switch dialect {
        case .ubx, .ubxValset: return .ubx(isAccepted: isAccepted, messageClass: frame[2], messageID: frame[3])
        case .pmtk, .pair:
            let number = String(decoding: frame, as: UTF8.self).dropFirst(5).prefix { $0.isNumber }
            return .mtk(command: Int(number) ?? -1, isAccepted: isAccepted)
        }
    }

    @Test("A receiver that answers nothing is generic after three polls, and nothing else is sent to it")
    func generic() {
        var bench = Bench()
        bench.send(.locked(baud: 9_600))
        bench.advance(toMillis: 60_000)
        #expect(bench.sent == [.identity, .identity, .identity])
        #expect(bench.machine.identity?.family == .generic)
        #expect(bench.machine.configured.hasPrefix("no"))
        #expect(bench.notes.isEmpty)
    }

    @Test("The first command is lost: the poll is repeated and answered (F-16)")
    func lostPoll() {
        var polls = 0
        var bench = Bench { request, dialect in
            if request == .identity { polls += 1 }
            return polls < 2 ? nil : Self.obeying(Self.m8)(request, dialect)
        }
        bench.send(.locked(baud: 9_600))
        bench.advance(toMillis: 1_500)
        #expect(bench.machine.identity == Self.m8)
        #expect(bench.machine.configured == "yes")
    }

    @Test("What a starting u-blox says of itself before its version is no answer yet (E-005)")
    func banner() {
        let maker = ReceiverIdentity(family: .ublox)
        let firmware = ReceiverIdentity(family: .ublox, firmware: "SPG 3.01")
        var bench = Bench { request, dialect in
            request == .identity ? nil : .replied(Self.done(request, dialect, true))
        }
        bench.send(.locked(baud: 9_600))
        bench.send(.identified(maker))
        bench.send(.identified(firmware))
        #expect(bench.sent == [.identity])
        var answering = bench
        answering.send(.identified(Self.m8))
        #expect(answering.sent.contains(.message(.navPVT, every: 1)))
        #expect(answering.machine.identity == Self.m8)

        // Without an answer it is set up as the oldest of its family, and again when the answer comes.
        bench.advance(toMillis: 10_000)
        #expect(bench.machine.configured == "yes")
        #expect(!bench.sent.contains(.message(.navPVT, every: 1)))
        bench.send(.identified(Self.m8))
        #expect(bench.sent.contains(.message(.navPVT, every: 1)))
    }

    @Test("A receiver that seemed to be of no family is asked again when it says its maker")
    func lateBanner() {
        var isDeaf = true
        var bench = Bench { request, dialect in isDeaf ? nil : Self.obeying(Self.m8)(request, dialect) }
        bench.send(.locked(baud: 9_600))
        bench.advance(toMillis: 10_000)
        #expect(bench.machine.identity?.family == .generic)
        isDeaf = false
        bench.send(.identified(ReceiverIdentity(family: .ublox)))
        #expect(bench.machine.identity == Self.m8)
        #expect(bench.machine.configured == "yes")
    }

    @Test("gnss.configure false sends not a byte")
    func unasked() {
        var bench = Bench(configure: false, answer: Self.obeying(Self.m8))
        bench.send(.locked(baud: 9_600))
        bench.send(.noticed("u-blox AG - www.u-blox.com"))
        bench.advance(toMillis: 60_000)
        #expect(bench.sent.isEmpty)
        #expect(bench.machine.configured == "no: gnss.configure is false")
    }

    @Test("u-blox from 7 on gets NAV-PVT, older ones and others sentences with GST, each at the asked rate")
    func plans() {
        func plan(_ identity: ReceiverIdentity, hz: Int = 1, baud: Int = 9_600) -> [ReceiverRequest] {
            var bench = Bench(rateHz: hz, answer: Self.obeying(identity))
            bench.send(.locked(baud: baud))
            #expect(bench.machine.configured == "yes")
            return Array(bench.sent.dropFirst())
        }
        #expect(plan(Self.m8).first == .message(.navPVT, every: 1))
        #expect(plan(Self.m10).contains(.message(.navPVT, every: 1)))
        // Spoofing is not in NAV-PVT (E-019).
        #expect(plan(Self.m8).contains(.message(.navStatus, every: 5)))
        #expect(plan(Self.u6).contains(.message(.gst, every: 1)))
        #expect(!plan(Self.u6).contains(.message(.navPVT, every: 1)))
        #expect(plan(Self.m8, hz: 5, baud: 115_200).last == .rate(hz: 5))
        #expect(plan(Self.m8, hz: 5, baud: 115_200).contains(.message(.gsv, every: 25)))
        #expect(plan(ReceiverIdentity(family: .mtk)) == [.sentences, .rate(hz: 1)])
        #expect(plan(ReceiverIdentity(family: .quectel)).contains(.message(.gst, every: 1)))
    }

    @Test("A request without an answer is sent three times, then the rest goes on and status names it")
    func partly() {
        var bench = Bench { request, dialect in
            request == .rate(hz: 1) ? nil : Self.obeying(Self.m8)(request, dialect)
        }
        bench.send(.locked(baud: 9_600))
        bench.advance(toMillis: 10_000)
        #expect(bench.sent.count { $0 == .rate(hz: 1) } == 3)
        #expect(bench.machine.configured == "partly: without rate")
        #expect(bench.notes == ["receiver_partly_configured: rate"])
    }

    @Test("A receiver that refuses or never answers is left as it is")
    func deaf() {
        var bench = Bench { request, _ in request == .identity ? .identified(Self.m8) : nil }
        bench.send(.locked(baud: 9_600))
        bench.advance(toMillis: 60_000)
        #expect(bench.sent.count == 7)
        #expect(bench.machine.configured.hasPrefix("no: the receiver answers no command"))
    }

    @Test("A u-blox 9 that refuses the old commands is asked with VALSET")
    func valset() {
        var dialects: [ReceiverDialect] = []
        var bench = Bench { request, dialect in
            if request == .identity { return .identified(Self.m9) }
            dialects.append(dialect)
            return .replied(Self.done(request, dialect, dialect == .ubxValset))
        }
        bench.send(.locked(baud: 38_400))
        #expect(bench.machine.configured == "yes")
        #expect(dialects.first == .ubx && dialects.dropFirst().allSatisfy { $0 == .ubxValset })
    }

    @Test("A rate that does not fit the line raises its speed first; a fixed speed lowers the rate and says so")
    func speed() {
        var bench = Bench(rateHz: 10, answer: Self.obeying(Self.m8))
        bench.send(.locked(baud: 9_600))
        #expect(bench.sent.last == .port(baud: 115_200))
        bench.advance(toMillis: 500)
        #expect(bench.speeds == [115_200])
        bench.send(.locked(baud: 115_200))
        #expect(bench.sent.last == .rate(hz: 10))
        #expect(bench.machine.configured == "yes")

        var fixed = Bench(rateHz: 10, mayChangeSpeed: false, answer: Self.obeying(Self.m8))
        fixed.send(.locked(baud: 9_600))
        #expect(fixed.sent.last == .rate(hz: 4))
        #expect(fixed.machine.configured == "partly: without 10 Hz (9600 bit/s carry 4 Hz)")
    }

    @Test("A receiver that keeps its speed is told three times and then runs slower")
    func stubbornSpeed() {
        var bench = Bench(rateHz: 10, answer: Self.obeying(Self.m8))
        bench.send(.locked(baud: 9_600))
        for time in 1...3 {
            bench.advance(toMillis: Int64(time) * 2_000)
            bench.send(.locked(baud: 9_600))
        }
        #expect(bench.sent.count { $0 == .port(baud: 115_200) } == 3)
        #expect(bench.machine.configured.hasPrefix("partly: without speed"))
        #expect(bench.sent.last == .rate(hz: 4))
    }

    @Test("A start-up text means that it forgot: set up again, at most once in 10 s, less often when it repeats")
    func restarts() {
        var bench = Bench(answer: Self.obeying(Self.m8))
        bench.send(.locked(baud: 9_600))
        var times: [Int64] = []
        for second in 1..<200 {
            bench.advance(toMillis: Int64(second) * 1_000)
            let before = bench.notes.count
            bench.send(.noticed("u-blox AG - www.u-blox.com"))
            if bench.notes.count > before { times.append(Int64(second)) }
        }
        let configurations = bench.sent.count { $0 == .identity } - 1
        #expect((3...5).contains(configurations), "\(configurations)")
        #expect(bench.notes.allSatisfy { $0.hasPrefix("receiver_reconfigured: ") })
        #expect(bench.notes.count == configurations)
    }

    @Test("Messages or a rate that change back are noticed within 10 s")
    func changedBack() {
        var bench = Bench(rateHz: 5, answer: Self.obeying(Self.m8))
        bench.send(.locked(baud: 115_200))
        for tick in 1...60 {
            bench.advance(toMillis: Int64(tick) * 200)
            bench.send(.heard(.ubx))
            bench.send(.epoch(afterMillis: 200))
        }
        #expect(bench.notes.isEmpty)
        var messages = bench
        for tick in 13...22 {
            messages.advance(toMillis: Int64(tick) * 1_000)
            messages.send(.heard(.other))
            messages.send(.epoch(afterMillis: 200))
        }
        #expect(messages.notes == ["receiver_reconfigured: its messages changed back"])
        var rate = bench
        for tick in 13...22 {
            rate.advance(toMillis: Int64(tick) * 1_000)
            rate.send(.heard(.ubx))
            rate.send(.epoch(afterMillis: 1_000))
        }
        rate.advance(toMillis: 23_000)
        #expect(rate.notes == ["receiver_reconfigured: its rate changed back"])
    }

    @Test("Lost and found at another speed it is asked who it is and set up again")
    func found() {
        var bench = Bench(answer: Self.obeying(Self.m8))
        bench.send(.locked(baud: 115_200))
        bench.advance(toMillis: 30_000)
        bench.send(.unlocked)
        bench.advance(toMillis: 35_000)
        bench.send(.locked(baud: 9_600))
        #expect(bench.notes == ["receiver_reconfigured: it was lost and found at 9600 bit/s"])
    }

    @Test(
        "Commands are the bytes of the manuals",
        arguments: [
            (ReceiverRequest.rate(hz: 1), ReceiverDialect.ubx, "b5620608 0600e80301000100 0139"),
            (.message(.navPVT, every: 1), .ubx, "b5620601 0300010701 1351"),
            (.port(baud: 115_200), .ubx, "b5620600 140001000000d008000000c201000700030000000000 c07e"),
        ])
    func ubxBytes(request: ReceiverRequest, dialect: ReceiverDialect, hex: String) {
        let wanted = hex.filter { $0 != " " }
        let made = request.bytes(in: dialect).map { String(UInt16($0) + 0x100, radix: 16).dropFirst() }.joined()
        #expect(made == wanted)
    }

    @Test("Sentences carry their checksum, and the poll speaks every language")
    func sentenceBytes() {
        func text(_ request: ReceiverRequest, _ dialect: ReceiverDialect) -> String {
            String(decoding: request.bytes(in: dialect), as: UTF8.self)
        }
        #expect(text(.rate(hz: 1), .pmtk) == "$PMTK220,1000*1F\r\n")
        #expect(text(.rate(hz: 5), .pmtk) == "$PMTK220,200*2C\r\n")
        #expect(text(.port(baud: 115_200), .pmtk) == "$PMTK251,115200*1F\r\n")
        let poll = ReceiverRequest.identity.bytes(in: .ubx)
        #expect(poll.starts(with: [0xB5, 0x62, 0x0A, 0x04, 0, 0, 0x0E, 0x34]))
        #expect(String(decoding: poll.dropFirst(8), as: UTF8.self) == "$PMTK605*31\r\n$PQTMVERNO*58\r\n")
    }
}
