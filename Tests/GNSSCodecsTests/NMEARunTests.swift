import TestKit
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
            if event == .sentence { framer.withText { note($0) } }
        }

        mutating func note(_ text: SentenceText, from start: Int) {
            events += ["\(NMEAFramer.Event.began) \(start)", "\(NMEAFramer.Event.sentence) \(start + text.length - 1)"]
            note(text)
        }

        private mutating func note(_ text: SentenceText) {
            var fields = text.fields
            let rest = (0..<fields.remaining).map { _ in String(decoding: fields.next().bytes, as: UTF8.self) }
            sentences.append([String(decoding: text.body, as: UTF8.self), "\(text.isEncapsulated)"] + rest)
        }
    }

    private func byteByByte(_ bytes: [UInt8]) -> Seen {
        var (framer, seen) = (NMEAFramer(), Seen())
        for (index, byte) in bytes.enumerated() { seen.note(framer.push(byte), at: index, framer) }
        return seen
    }

    /// As the decoder does it.
    private func inRuns(_ bytes: [UInt8], of length: Int) -> Seen {
        var (framer, seen) = (NMEAFramer(), Seen())
        for start in stride(from: 0, to: bytes.count, by: length) {
            let piece = Array(bytes[start..<min(bytes.count, start + length)])
            piece.withUnsafeBufferPointer { piece in
                var index = 0
                while index < piece.count {
                    if !framer.isInside, let text = SentenceText(in: piece, at: index) {
                        seen.note(text, from: start + index)
                        index += text.length
                    } else {
                        let event = framer.next(piece, from: &index)
                        seen.note(event, at: start + index - 1, framer)
                    }
                }
            }
        }
        return seen
    }

    private static let streams: [String] = [
        sentence("GPRMC,120000.00,A,4807.038,N,01131.000,E,10.0,084.4,010126,,,A"),
        // The checksum begins at every place of a block, and digits of it are wrong, of a letter, or missing.
        (0...32).map { sentence("GPTXT," + String(repeating: "x,", count: $0)) }.joined(),
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

    @Test("A sentence that is whole is read where it lies, whatever its length and wherever the bytes end")
    func whole() {
        for count in 0...110 {
            let text = sentence("GPTXT," + String(repeating: "x", count: count), end: "")
            for rest in 0...20 {
                let bytes = Array(text.utf8) + [UInt8](repeating: UInt8(ascii: "$"), count: rest)
                let found = bytes.withUnsafeBufferPointer { SentenceText(in: $0, at: 0)?.length }
                #expect(found == text.utf8.count)
            }
        }
    }

    @Test("A character in a block ends it when it may not stand in a sentence, at each of the sixteen places")
    func ordinary() {
        for place in 0..<NMEABlock.length {
            for byte in UInt8.min...UInt8.max {
                var bytes = (0..<UInt8(NMEABlock.length)).map { $0 % 3 == 0 ? UInt8(ascii: ",") : 0x30 + $0 }
                bytes[place] = byte
                let isOrdinary = (0x20...0x7E).contains(byte) && byte != UInt8(ascii: "$") && byte != UInt8(ascii: "*")
                let block = bytes.withUnsafeBytes { NMEABlock($0, at: 0) }
                #expect(block.ordinary.isAll == isOrdinary)
                #expect(block.ordinary.bits == (isOrdinary ? 0xFFFF : 0xFFFF & ~(1 << UInt64(place))))
                let commas = bytes.indices.filter { bytes[$0] == UInt8(ascii: ",") }
                #expect(block.commas.bits == commas.reduce(UInt64(0)) { $0 | 1 << UInt64($1) })
                #expect(NMEABlock.sum(block.characters) == bytes.reduce(0, ^))
                #expect(block.sum(ofFirst: place) == bytes[..<place].reduce(0, ^))
            }
        }
    }

    @Test("A block that goes on beyond the end of the bytes has zeros there")
    func blockAtEnd() {
        let bytes = [UInt8](1...20)
        for place in 0...20 {
            let block = bytes.withUnsafeBytes { NMEABlock($0, at: place) }
            let expected = (0..<NMEABlock.length).map { place + $0 < 20 ? bytes[place + $0] : 0 }
            #expect((0..<NMEABlock.length).map { block.characters[$0] } == expected)
        }
    }

    @Test("Places of separators come back in order, wherever the sixteen that they were found in began")
    func separators() {
        for place in stride(from: 0, through: 112, by: 16) {
            var separators = NMEASeparators()
            separators.insert(0b1000_0000_1010_0101, at: place)
            #expect(separators.count == 5)
            let expected = [place, place + 2, place + 5, place + 7, place + 15, nil]
            #expect((0..<6).map { _ in separators.removeFirst() } == expected)
        }
    }

    @Test("The last field is found from the end, at any length, and stays to come")
    func lastField() {
        for count in 0...110 {
            for last in ["", "1", "12345"] {
                let body = Array("GPTXT,\(String(repeating: "x,", count: count / 2))\(last)".utf8.prefix(127))
                body.withUnsafeBufferPointer { body in
                    var commas = NMEASeparators()
                    for (place, byte) in body.enumerated() where byte == UInt8(ascii: ",") {
                        commas.insert(1, at: place)
                    }
                    var fields = NMEAFields(body, commas: commas)
                    let found = Array(fields.last.bytes)
                    fields.skip(fields.remaining - 1)
                    #expect(found == Array(fields.next().bytes))
                    #expect(fields.remaining == 0 && fields.next().isEmpty && fields.next().isEmpty)
                }
            }
        }
    }

    @Test("The sum of a frame is that of its bytes one by one, at every length", arguments: [7] as [UInt64])
    func frameSums(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        for length in 0...1_028 {
            // All bits set is what sums the most.
            let noise = (0..<length).map { _ in UInt8.random(in: 0...255, using: &random) }
            for bytes in [noise, [UInt8](repeating: 0xFF, count: length)] {
                var (a, b): (UInt8, UInt8) = (0, 0)
                for byte in bytes {
                    a &+= byte
                    b &+= a
                }
                let sums = bytes.withUnsafeBufferPointer { UBXFrame.checksum($0) }
                #expect(sums == (a, b), "seed \(seed), \(length) bytes")
            }
        }
    }
}
