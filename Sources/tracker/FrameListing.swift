import GNSSCodecs

/// The frames of a log as lines.
struct FrameListing {
    private let output: OutputLines
    private var scanner = RawFrameScanner()

    init(output: OutputLines) { self.output = output }

    mutating func take(_ block: UnsafeBufferPointer<UInt8>) {
        let output = output
        scanner.scan(block) { output.add(FixLine.json($0)) }
    }

    /// The log has ended.
    mutating func finish() {
        let output = output
        scanner.finish { output.add(FixLine.json($0)) }
        output.flush()
    }
}
