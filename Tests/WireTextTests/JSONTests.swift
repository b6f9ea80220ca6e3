import Testing
import WireText

@Suite("JSON text")
struct JSONTests {
    @Test(
        "Valid texts read and write back the same",
        arguments: [
            #"{"b":1,"a":[true,false,null,"x"],"c":{"d":-12}}"#, "[]", "{}", #""é \" \\ \n \u0001""#, "-0", "0",
            "9223372036854775807", #"{"lat":46.5}"#,
        ])
    func roundTrip(text: String) throws {
        let value = try JSONReader.parse(text)
        #expect(try JSONReader.parse(value.text) == value)
        if text != "-0" { #expect(value.text == text) }
    }

    @Test(
        "What is no JSON is refused with its place",
        arguments: [
            "", "{", "[1,", #"{"a" 1}"#, "01", "1.", "1e", "--1", "+1", #""\x""#, #""\ud800""#, #""\u12g4""#, "nul",
            "[1]]", "\"\u{1}\"", "1e999", String(repeating: "[", count: 100), #"{"a":1,}"#, "[1,]", "{1:2}",
        ])
    func refused(text: String) {
        #expect(throws: JSONFailure.self) { try JSONReader.parse(text) }
    }

    @Test("Bytes that are no UTF-8 are refused inside a string")
    func notUTF8() {
        #expect(throws: JSONFailure.self) { try JSONReader.parse([0x22, 0xFF, 0x22]) }
    }

    @Test("A surrogate pair is one character")
    func surrogates() throws {
        #expect(try JSONReader.parse(#""\ud83d\ude00""#) == .string("😀"))
    }

    @Test("Members are found by dotted path and unset by nil")
    func members() throws {
        let value = try JSONReader.parse(#"{"queue":{"pending":3,"lastAnswer":"200"}}"#)
        #expect(value["queue.pending"]?.intValue == 3)
        #expect(value["queue.nothing"] == nil)
        var object = JSONObject()
        object["a"] = 1
        object["b"] = "x"
        object["a"] = nil
        #expect(JSONValue.object(object).text == #"{"b":"x"}"#)
    }

    @Test("Merging adds members behind the others, and replaces those of the same name where they are")
    func merged() {
        var object: JSONObject = ["a": 1, "b": 2]
        object.merge(["c": 3, "a": "x"])
        #expect(JSONValue.object(object).text == #"{"a":"x","b":2,"c":3}"#)
    }

    @Test("For people a text has no quotes, and a number the wanted decimals")
    func people() {
        #expect(JSONValue.string("a \"b\"").plain == "a \"b\"" && JSONValue.bool(true).plain == "true")
        #expect(JSONValue.int(5).rounded(1) == "5.0" && JSONValue.double(0.26).rounded(1) == "0.3")
        #expect(JSONValue.string("5").rounded(1) == nil && JSONValue.double(.infinity).rounded(0) == nil)
    }

    @Test("Any input ends in a value or a failure", arguments: 0..<200)
    func anyInput(seed: Int) {
        var state = UInt64(seed) &* 0x9E37_79B9_7F4A_7C15 | 1
        let alphabet = Array("{}[]\",:0123456789.eE+-\\ untrfals\u{1}é".utf8)
        let bytes = (0..<64).map { _ in
            state = state &* 6_364_136_223_846_793_005 &+ 1
            return alphabet[Int(state >> 33) % alphabet.count]
        }
        _ = try? JSONReader.parse(bytes)
    }
}
