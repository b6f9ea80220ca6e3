import CGpiod
import CLinux
import Glibc
public import Ports

/// The lines of the board's GPIO chips, through libgpiod (1.x or 2.x, see `CGpiod`); those named `unix:PATH` are lines of
/// a simulated board.
public final class GPIODLines: DigitalLines {
    /// Shown by gpioinfo.
    static let consumer = "tracker"

    private let reactor: LinuxReactor
    private let directory: String

    /// - Parameter directory: where the devices of the chips are.
    public init(reactor: LinuxReactor, directory: String = "/dev") {
        self.reactor = reactor
        self.directory = directory
    }

    /// Whether the line is one of a simulated board.
    public static func isSimulated(_ line: String) -> Bool { UnixSocketLine.path(line) != nil }

    public func input(
        _ line: String, onEdge: @escaping (LineEdge) -> Void
    ) throws(LineFailure) -> any DigitalInput {
        if let path = UnixSocketLine.path(line) {
            let wire = try UnixSocketLine(line, path: path, reactor: reactor)
            try wire.listen(onEdge)
            return wire
        }
        let request = try request(line) { chip, offset, isActiveLow, taken in
            gpio_request_input(chip, offset, Self.consumer, isActiveLow, &taken)
        }
        return try GPIODInput(line, request, reactor: reactor, onEdge: onEdge)
    }

    public func output(_ line: String, isActive: Bool) throws(LineFailure) -> any DigitalOutput {
        if let path = UnixSocketLine.path(line) {
            let wire = try UnixSocketLine(line, path: path, reactor: reactor)
            try wire.set(isActive)
            return wire
        }
        return GPIODOutput(
            line,
            try request(line) { chip, offset, isActiveLow, taken in
                gpio_request_output(chip, offset, Self.consumer, isActiveLow, isActive, &taken)
            })
    }

    private func request(
        _ text: String, _ take: (OpaquePointer, UInt32, Bool, inout gpio_line) -> Int32
    ) throws(LineFailure) -> gpio_line {
        let address = LineAddress(text)
        let place = try find(address.place)
        var taken = gpio_line()
        guard take(place.chip, place.offset, address.isActiveLow, &taken) >= 0 else {
            let number = linux_errno()
            let consumer = Self.facts(place.chip, place.offset)?.consumer ?? ""
            gpio_line_close(&taken)
            throw .requesting(text, number, consumer: consumer)
        }
        return taken
    }

    /// The chip is the caller's to close.
    private func find(_ place: LineAddress.Place) throws(LineFailure) -> (chip: OpaquePointer, offset: UInt32) {
        let chips = DirectoryListing.names(directory)
            .compactMap { name in LineAddress.chipNumber(name).map { (number: $0, name: name) } }
            .sorted { $0.number < $1.number }.map(\.name)
        if chips.isEmpty { throw .noChips(directory) }
        switch place {
        case .number(let name, let offset):
            guard chips.contains(name) else { throw .noSuchChip(name, present: chips) }
            let chip = try open(name)
            let count = gpio_chip_lines(chip)
            if offset < count { return (chip, offset) }
            gpio_chip_close(chip)
            throw .noSuchOffset("\(name):\(offset)", lines: Int(count))
        case .name(let wanted): return try find(wanted, on: chips)
        }
    }

    /// The first line of that name: names need not be unique, and a chip may be there under two names (Raspberry Pi 5).
    /// A chip that cannot be opened matters only when the line is on none of the others.
    private func find(_ wanted: String, on chips: [String]) throws(LineFailure) -> (chip: OpaquePointer, offset: UInt32)
    {
        var names: [String] = []
        var refusal: LineFailure?
        for name in chips {
            do throws(LineFailure) {
                let chip = try open(name)
                for offset in 0..<UInt32(max(0, gpio_chip_lines(chip))) {
                    guard let found = Self.facts(chip, offset)?.name, !found.isEmpty else { continue }
                    if found == wanted { return (chip, offset) }
                    names.append(found)
                }
                gpio_chip_close(chip)
            } catch { refusal = refusal ?? error }
        }
        throw refusal ?? .noSuchLine(wanted, names: names)
    }

    private func open(_ name: String) throws(LineFailure) -> OpaquePointer {
        let path = "\(directory)/\(name)"
        guard let chip = gpio_chip_open(path) else { throw .opening(path, linux_errno()) }
        return chip
    }

    private static func facts(_ chip: OpaquePointer, _ offset: UInt32) -> (name: String, consumer: String)? {
        var facts = gpio_facts()
        guard gpio_chip_facts(chip, offset, &facts) >= 0 else { return nil }
        return (text(facts.name), text(facts.consumer))
    }

    private static func text<Field>(_ field: Field) -> String {
        withUnsafeBytes(of: field) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }
}

final class GPIODOutput: DigitalOutput {
    let name: String
    private var line: gpio_line

    init(_ name: String, _ line: gpio_line) {
        self.name = name
        self.line = line
    }

    deinit { close() }

    func set(_ isActive: Bool) throws(LineFailure) {
        guard line.chip != nil else { return }
        if gpio_line_set(&line, isActive) < 0 { throw .using(name, linux_errno()) }
    }

    func close() { gpio_line_close(&line) }
}
