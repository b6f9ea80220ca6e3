/// One request on the Unix register bus: `op addr reg count [value]`.
enum RegisterRequest: Equatable {
    case read(address: UInt8, register: UInt8, count: Int)
    case write(address: UInt8, register: UInt8, value: UInt8)

    var address: UInt8 {
        switch self {
        case .read(let address, _, _), .write(let address, _, _): address
        }
    }

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
            return .request(.read(address: address, register: register, count: count), byteCount: 4)
        case 1 where count == 1:
            guard bytes.count >= 5 else { return .needsMore }
            return .request(.write(address: address, register: register, value: bytes[4]), byteCount: 5)
        default: return .malformed
        }
    }
}
