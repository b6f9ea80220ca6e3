import Ports

/// The receiver's line of a replay: hands on what the replay delivers, at every speed of the line.
final class ReplayStream: ByteStream {
    let name: String
    let isRealDevice = false
    private var handler: ((ByteStreamEvent) -> Void)?

    init(name: String) { self.name = name }

    /// Bytes that come while nobody listens are lost, as on a real line.
    func deliver(_ bytes: [UInt8]) { handler?(.bytes(bytes)) }

    func open(baud: Int, _ handler: @escaping (ByteStreamEvent) -> Void) throws(ByteStreamFailure) {
        self.handler = handler
    }
    var candidates: [String] { [name] }
    func choose(_ path: String) {}
    func setBaud(_ baud: Int) throws(ByteStreamFailure) {}
    func write(_ bytes: [UInt8]) throws(ByteStreamFailure) {}
    func close() { handler = nil }
}
