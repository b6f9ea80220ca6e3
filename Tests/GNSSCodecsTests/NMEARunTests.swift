import Testing

@testable import GNSSCodecs

@Suite("Taking many characters at once")
struct NMEARunTests {
    /// Everything that single bytes tell about a stream: the events with their places, and each body with its fields.
    private struct Seen: Equatable {
        var events: [String] = []
        var sentences: [[String]] = []

        mutating func note(_ event: NMEAFramer.Event, at index: Int, _ framer: NMEAFramer) {
            if event != .nothing { events.append("\(event) \(index)") }
            guard event == .sentence else { return }
            sentences.append(
                framer.withBody { body in
                    var fields = NMEAFields(body, commas: framer.commas)
                    let rest = (0..<fields.remaining).map { _ in String(decoding: fields.next().bytes, as: UTF8.self) }
                    return [String(decoding: body, as: UTF8.self)] + rest
                })
        }
    }

    private func byteByByte(_ bytes: [UInt8]) -> Seen {
        var (framer, seen) = (NMEAFramer(), Seen())
        for (index, byte) in bytes.enumerated() { seen.note(framer.push(byte), at: index, framer) }
        return seen
    }

    private func inRuns(_ bytes: [UInt8], of length: Int) -> Seen {
        var (framer, seen) = (NMEAFramer(), Seen())
        for start in stride(from: 0, to: bytes.count, by: length) {
            let piece = Array(bytes[start..<min(bytes.count, start + length)])
            piece.withUnsafeBufferPointer { piece in
                var index = 0
                while index < piece.count {
                    let event = framer.next(piece, from: &index)
                    seen.note(event, at: start + index - 1, framer)
                }
            }
        }
        return seen
    }

    private static let streams: [String] = [
        sentence("GPRMC,120000.00,A,4807.038,N,01131.000,E,10.0,084.4,010126,,,A"),
        // The checksum begins at every place of a word, and digits of it are wrong, of a letter, or missing.
        (0...16).map { sentence("GPTXT," + String(repeating: "x,", count: $0)) }.joined(),
        "$GPGLL,1*0\r\n$GPGLL,12345678*ZZ\r\n$GPGLL*$GPGLL,1,2,3,4,5,6*5\r\n" + sentence("GPGLL,,,,,,,"),
        // As long as can be, and longer; the longest has a comma at its end.
        sentence("GPTXT," + String(repeating: "y", count: 109) + ",")
            + sentence("GPTXT," + String(repeating: ",", count: 110))
            + sentence("GPTXT," + String(repeating: "z", count: 111)) + sentence("GPZDA,120000.00,01,01,2026,,"),
        // All that may stand in a sentence, and what may not.
        sentence("GPTXT," + String((0x20...0x7D).map { Character(Unicode.Scalar($0)) }.filter { !"$*".contains($0) })),
        "$GPTXT,12345678\u{7F}90*00\r\n$GPTXT,1234567\u{1F}*00\r\n$GPTXT,\u{80}abc*00\r\n!AIVDM,1,1*00\r\n\n\r$$$**",
    ]

    @Test("Runs of every length find what single bytes find", arguments: streams)
    func likeSingleBytes(stream: String) {
        let bytes = Array(stream.utf8)
        let expected = byteByByte(bytes)
        for length in Array(1...40) + [bytes.count] { #expect(inRuns(bytes, of: length) == expected) }
    }

    @Test("A character in a word ends it when it may not stand in a sentence, at each of the eight places")
    func ordinary() {
        for place in 0..<8 {
            for byte in UInt8.min...UInt8.max {
                var bytes = [UInt8](repeating: UInt8(ascii: ","), count: 8)
                bytes[place] = byte
                let isOrdinary = (0x20...0x7E).contains(byte) && byte != UInt8(ascii: "$") && byte != UInt8(ascii: "*")
                let characters = bytes.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
                let word = NMEAWord(characters)
                #expect(word.ordinaryCount == (isOrdinary ? 8 : place))
                let commas = (0..<word.ordinaryCount).filter { bytes[$0] == UInt8(ascii: ",") }
                #expect(NMEAWord.commas(in: word.ordinary) == commas.reduce(UInt64(0)) { $0 | 1 << UInt64($1) })
                #expect(NMEAWord.isPlain(characters) == (0x2B...0x7E).contains(byte))
                #expect(NMEAWord.sum(word.ordinary) == bytes[..<word.ordinaryCount].reduce(0, ^))
            }
        }
    }

    @Test("Places of separators come back in order, wherever the eight that they were found in began")
    func separators() {
        for place in 0...120 {
            var separators = NMEASeparators()
            separators.insert(0b1010_0101, at: place)
            #expect(separators.count == 4)
            #expect((0..<5).map { _ in separators.removeFirst() } == [place, place + 2, place + 5, place + 7, nil])
        }
    }
}
