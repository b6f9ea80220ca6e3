/// One request on the Unix register bus: `op addr reg count [value]`.
struct RegisterRequest: Equatable {
    var address: UInt8
    var register: UInt8
    var count: Int
    /// What is written; `nil`: it is a read.
    var value: UInt8?

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
        case 1 where count == 1:
            guard bytes.count >= 5 else { return .needsMore }
            return .request(
                RegisterRequest(address: address, register: register, count: count, value: bytes[4]), byteCount: 5)
        default: return .malformed
        }
    }
}
