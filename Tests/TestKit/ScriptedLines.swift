public import Ports
public import TrackerModel

/// Lines that the test drives and looks at.
public final class ScriptedLines: DigitalLines {
    public final class Line: DigitalInput, DigitalOutput {
        public let name: String
        public fileprivate(set) var isActive: Bool
        public private(set) var isClosed = false
        /// Thrown by `set`, and what an input says of itself.
        public var failure: LineFailure?
        /// When an output was set, and to what; `isActive` of the request is not in it.
        public private(set) var history: [LineEdge] = []
        fileprivate var onEdge: (LineEdge) -> Void = { _ in }
        fileprivate var onSet: (Bool) -> Void = { _ in }
        private let now: () -> Instant

        fileprivate init(_ name: String, _ isActive: Bool, _ now: @escaping () -> Instant) {
            self.name = name
            self.isActive = isActive
            self.now = now
        }

        public func set(_ isActive: Bool) throws(LineFailure) {
            if let failure { throw failure }
            self.isActive = isActive
            onSet(isActive)
            history.append(LineEdge(isActive: isActive, at: now()))
        }

        public func close() { isClosed = true }
    }

    public private(set) var lines: [Line] = []
    /// Thrown for every request.
    public var refusal: LineFailure?
    /// Inputs that are active from the start.
    public var active: Set<String> = []
    /// Told of every level of an output, the first included.
    public var onOutput: (_ line: String, _ isActive: Bool) -> Void = { _, _ in }
    /// The moment of an edge.
    public var now: () -> Instant = { .zero }

    public init() {}

    public func input(_ line: String, onEdge: @escaping (LineEdge) -> Void) throws(LineFailure) -> any DigitalInput {
        let made = try request(line, active.contains(line))
        made.onEdge = onEdge
        return made
    }

    public func output(_ line: String, isActive: Bool) throws(LineFailure) -> any DigitalOutput {
        let made = try request(line, isActive)
        made.onSet = { [unowned self] in onOutput(line, $0) }
        onOutput(line, isActive)
        return made
    }

    private func request(_ name: String, _ isActive: Bool) throws(LineFailure) -> Line {
        if let refusal { throw refusal }
        let made = Line(name, isActive, { [unowned self] in now() })
        lines.append(made)
        return made
    }

    public func line(_ name: String) -> Line? { lines.last { $0.name == name } }

    /// What the outside puts on an input.
    public func drive(_ isActive: Bool, line index: Int = 0) {
        guard lines.indices.contains(index) else { return }
        drive(lines[index], isActive)
    }

    public func drive(_ isActive: Bool, line name: String) {
        line(name).map { drive($0, isActive) }
    }

    private func drive(_ line: Line, _ isActive: Bool) {
        guard line.isActive != isActive, !line.isClosed else { return }
        line.isActive = isActive
        line.onEdge(LineEdge(isActive: isActive, at: now()))
    }
}
