/// One request on the Unix register bus: `op addr reg count [value]`.
struct RegisterRequest: Equatable {
    var address: UInt8
    var register: UInt8
    var count: Int
    /// What is written; `nil`: it is a read.
    var values: [UInt8]?

    enum Parsed: Equatable {
        case needsMore
        case request(RegisterRequest, byteCount: Int)
        /// The byte stream has lost its framing: the connection is of no more use.
        case malformed
    }

    static func parse(_ bytes: [UInt8]) -> Parsed {
        guard bytes.count >= 4 else { return .needsMore }
        let (address, register, count) = (bytes[1], bytes[2], Int(bytes[3]))
        switch bytes[0] {
        case 0 where count > 0:
            return .request(RegisterRequest(address: address, register: register, count: count), byteCount: 4)
        case 1 where (1...32).contains(count):
            guard bytes.count >= 4 + count else { return .needsMore }
            let values = Array(bytes[4..<4 + count])
            return .request(
                RegisterRequest(address: address, register: register, count: count, values: values),
                byteCount: 4 + count)
        default: return .malformed
        }
    }
}
