import WireText

/// JSON from the control socket: refused with a place inside the text, or read so that writing and reading it again
/// gives the same.
enum JSONProperties {
    static func check(_ bytes: [UInt8]) {
        let value: JSONValue
        do throws(JSONFailure) { value = try JSONReader.parse(bytes) } catch {
            require((0...bytes.count).contains(error.offset), "a refusal names a place in the text: \(error)")
            return
        }
        let text = value.bytes
        do throws(JSONFailure) {
            let again = try JSONReader.parse(text)
            require(again == value, "what is written is read again: \(value) and \(again)")
            require(again.bytes == text, "the same value is always the same bytes")
        } catch {
            require(false, "what is written can be read: \(value), \(error)")
        }
    }
}
