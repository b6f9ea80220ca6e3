/// Where a line is, as the configuration writes it (`DigitalLines`).
struct LineAddress: Equatable {
    enum Place: Equatable {
        case name(String)
        case number(chip: String, offset: UInt32)
    }

    var place: Place
    var isActiveLow: Bool

    /// `GPIO17`, `gpiochip0:17`, `0:17`, each also with ` low`. What is no chip and number is taken for a name: boards name
    /// lines as they please.
    init(_ text: String) {
        isActiveLow = text.hasSuffix(" low")
        let body = isActiveLow ? String(text.dropLast(" low".count)) : text
        let parts = body.split(separator: ":", omittingEmptySubsequences: false)
        if parts.count == 2, let chip = Self.chip(parts[0]), let offset = Self.number(parts[1]) {
            place = .number(chip: chip, offset: offset)
        } else {
            place = .name(body)
        }
    }

    private static func chip(_ text: Substring) -> String? {
        let digits = text.hasPrefix(chipPrefix) ? text.dropFirst(chipPrefix.count) : text
        return number(digits).map { "\(chipPrefix)\($0)" }
    }

    /// Digits alone: `UInt32` would take a sign.
    private static func number(_ text: Substring) -> UInt32? {
        text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? UInt32(text) : nil
    }

    static let chipPrefix = "gpiochip"

    /// The number of a chip's device, `nil` for another device.
    static func chipNumber(_ device: String) -> UInt32? {
        device.hasPrefix(chipPrefix) ? number(device.dropFirst(chipPrefix.count)) : nil
    }
}
