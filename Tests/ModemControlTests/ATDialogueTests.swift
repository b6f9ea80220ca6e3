import ModemControl
import Testing
import TrackerModel

struct ATDialogueTests {
    private let now = Instant(millis: 5_000)

    @Test("An answer is found between echo, blank lines and unsolicited lines, however it is cut")
    func cutAnywhere() {
        let stream = Array("AT+CSQ\r\r\n+CREG: 1\r\n\r\nRING\r\n+CSQ: 18,99\r\n\r\nOK\r\n".utf8)
        for cut in 0...stream.count {
            var dialogue = ATDialogue()
            _ = dialogue.send(.signal, at: now)
            let first = dialogue.take(Array(stream[..<cut]))
            let second = dialogue.take(Array(stream[cut...]))
            let found = first ?? second
            #expect(found?.0 == .signal)
            #expect(found?.1 == .ok("18,99"))
            #expect(!dialogue.isWaiting)
        }
    }

    @Test("Refusals carry their number where the modem gives one")
    func refusals() {
        let cases: [(String, Int?)] = [("ERROR", nil), ("+CME ERROR: 10", 10), ("+CME ERROR: SIM busy", nil)]
        for (text, number) in cases {
            var dialogue = ATDialogue()
            _ = dialogue.send(.simState, at: now)
            #expect(dialogue.take(Array("\r\n\(text)\r\n".utf8))?.1 == .refused(number: number))
        }
    }

    @Test("Silence ends a command at its time, and a late answer belongs to nobody")
    func late() {
        var dialogue = ATDialogue()
        #expect(dialogue.send(.signal, at: now) == Array("AT+CSQ\r".utf8))
        #expect(dialogue.expire(at: dialogue.deadline.advanced(byNanos: -1)) == nil)
        #expect(dialogue.expire(at: dialogue.deadline)?.1 == .silence)
        #expect(dialogue.take(Array("+CSQ: 3,99\r\nOK\r\n".utf8)) == nil)
        #expect(dialogue.deadline == .never)
    }

    @Test("A line without an end costs no memory, and the next line is read")
    func endless() {
        var dialogue = ATDialogue()
        _ = dialogue.send(.attention, at: now)
        for _ in 0..<100 { #expect(dialogue.take([UInt8](repeating: 0x41, count: 10_000)) == nil) }
        #expect(dialogue.take(Array("\r\nOK\r\n".utf8))?.1 == .ok(nil))
    }
}
