import Glibc
import Ports

/// What refuses a line, in the operator's words.
extension LineFailure {
    static func noChips(_ directory: String) -> Self {
        Self(
            cause: "there is no GPIO chip: no \(directory)/gpiochip*",
            remedy: "load the driver of the board's lines; the kernel needs CONFIG_GPIO_CDEV")
    }

    static func noSuchChip(_ chip: String, present: [String]) -> Self {
        Self(
            cause: "there is no \(chip)",
            remedy: "there are: \(present.joined(separator: ", ")); gpiodetect tells which")
    }

    static func noSuchLine(_ text: String, names: [String]) -> Self {
        let near = nearest(to: text, among: names)
        return Self(
            cause: "no line is named '\(text)'",
            remedy: near.isEmpty
                ? "lines have no names here; write the chip and the number, such as gpiochip0:17 (gpioinfo)"
                : "near are \(near.joined(separator: ", ")); gpioinfo lists all")
    }

    static func noSuchOffset(_ text: String, lines: Int) -> Self {
        Self(cause: "there is no line \(text)", remedy: "that chip has the lines 0 to \(lines - 1)")
    }

    static func opening(_ path: String, _ number: Int32) -> Self {
        let failure = SystemFailure(call: "open", subject: path, number: number)
        switch number {
        case EACCES, EPERM:
            return Self(
                cause: "\(failure)",
                remedy: "add the service user to the group gpio that owns \(path) (deploy/60-tracker.rules gives it "
                    + "to the group) and restart the service")
        default: return Self(cause: "\(failure)", remedy: "check that it is a GPIO chip (gpiodetect)")
        }
    }

    static func requesting(_ text: String, _ number: Int32, consumer: String) -> Self {
        switch number {
        case EBUSY:
            return Self(
                cause: "line \(text) is in use by \(consumer.isEmpty ? "another program or driver" : "'\(consumer)'")",
                remedy: "stop that, or take another line; gpioinfo shows who has which")
        case ENXIO, EOPNOTSUPP, EINVAL:
            return Self(
                cause: "\(SystemFailure(call: "request of line", subject: text, number: number))",
                remedy: "the chip cannot do that with this line (inputs need an interrupt); take another line")
        default: return using(text, number)
        }
    }

    static func using(_ text: String, _ number: Int32) -> Self {
        Self(
            cause: "\(SystemFailure(call: "line", subject: text, number: number))",
            remedy: "check that its chip is still there (gpiodetect)")
    }

    /// The four names with the fewest letters to change.
    static func nearest(to text: String, among names: [String]) -> [String] {
        let wanted = Array(text.lowercased().utf8)
        let rated = Set(names).map { (distance(wanted, Array($0.lowercased().utf8)), $0) }
        return rated.sorted { $0 < $1 }.prefix(4).map(\.1)
    }

    /// Letters to put in, take out or change (Levenshtein).
    private static func distance(_ a: [UInt8], _ b: [UInt8]) -> Int {
        var row = Array(0...b.count)
        for (i, letter) in a.enumerated() {
            var diagonal = row[0]
            row[0] = i + 1
            for (j, other) in b.enumerated() {
                let changed = diagonal + (letter == other ? 0 : 1)
                diagonal = row[j + 1]
                row[j + 1] = min(changed, row[j] + 1, diagonal + 1)
            }
        }
        return row[b.count]
    }
}
