import CSystemd

/// A message of D-Bus, its values read in their order; what is not as expected throws `NoSuchValue`.
struct BusMessage {
    struct NoSuchValue: Error {}

    private let message: OpaquePointer

    init(_ message: OpaquePointer) { self.message = message }

    /// Of an answer that is an error: its name, and what it says.
    var error: (name: String, text: String)? {
        guard let error = sd_bus_message_get_error(message)?.pointee, let name = error.name else { return nil }
        return (String(cString: name), error.message.map { String(cString: $0) } ?? "")
    }

    /// Which object a signal is of.
    var path: String { sd_bus_message_get_path(message).map { String(cString: $0) } ?? "" }

    /// Of type `s` or `o`.
    func text(_ type: BusType = .string) throws(NoSuchValue) -> String {
        var value: UnsafePointer<CChar>?
        guard sd_bus_message_read_basic(message, type.code, &value) > 0, let value else { throw NoSuchValue() }
        return String(cString: value)
    }

    func int32() throws(NoSuchValue) -> Int32 { try read(.int32, 0) }
    func uint32() throws(NoSuchValue) -> UInt32 { try read(.uint32, 0) }
    /// Four bytes on D-Bus's side of the library.
    func bool() throws(NoSuchValue) -> Bool { try read(.bool, Int32(0)) != 0 }

    private func read<Value: BitwiseCopyable>(_ type: BusType, _ zero: Value) throws(NoSuchValue) -> Value {
        var value = zero
        guard sd_bus_message_read_basic(message, type.code, &value) > 0 else { throw NoSuchValue() }
        return value
    }

    /// False at the end of what this is in.
    func enter(_ type: BusType, _ contents: String) throws(NoSuchValue) -> Bool {
        let result = sd_bus_message_enter_container(message, type.code, contents)
        guard result >= 0 else { throw NoSuchValue() }
        return result > 0
    }

    func exit() throws(NoSuchValue) {
        guard sd_bus_message_exit_container(message) >= 0 else { throw NoSuchValue() }
    }

    func skip(_ types: String) throws(NoSuchValue) {
        guard sd_bus_message_skip(message, types) >= 0 else { throw NoSuchValue() }
    }

    /// Each entry of an array; `one` reads it whole.
    func each(_ contents: String, _ one: () throws(NoSuchValue) -> Void) throws(NoSuchValue) {
        guard try enter(.array, contents) else { throw NoSuchValue() }
        while sd_bus_message_at_end(message, 0) == 0 { try one() }
        try exit()
    }

    /// Each property of an `a{sv}`: `read` takes those it knows, by name and type, and answers whether it did.
    func eachProperty(_ read: (_ name: String, _ type: String) throws(NoSuchValue) -> Bool) throws(NoSuchValue) {
        try each("{sv}") { () throws(NoSuchValue) in
            guard try enter(.entry, "sv") else { throw NoSuchValue() }
            let name = try text()
            var type: CChar = 0
            var contents: UnsafePointer<CChar>?
            guard sd_bus_message_peek_type(message, &type, &contents) > 0, type == BusType.variant.code, let contents
            else { throw NoSuchValue() }
            let signature = String(cString: contents)
            guard try enter(.variant, signature) else { throw NoSuchValue() }
            if try !read(name, signature) { try skip(signature) }
            try exit()
            try exit()
        }
    }
}

/// Types as D-Bus writes them (specification, type system).
enum BusType: UInt8 {
    case string = 0x73  // s
    case path = 0x6F  // o
    case bool = 0x62  // b
    case int32 = 0x69  // i
    case uint32 = 0x75  // u
    case array = 0x61  // a
    case entry = 0x65  // e
    case structure = 0x72  // r
    case variant = 0x76  // v

    var code: CChar { CChar(truncatingIfNeeded: rawValue) }
}

/// What a method is given.
enum BusArgument {
    case text(String)
    case path(String)
    case bool(Bool)
    case uint32(UInt32)
    /// In a variant.
    case anyBool(Bool)

    func append(to message: OpaquePointer?) -> Int32 {
        switch self {
        case .text(let text): sd_bus_message_append_basic(message, BusType.string.code, text)
        case .path(let text): sd_bus_message_append_basic(message, BusType.path.code, text)
        case .bool(let value): append(value, to: message)
        case .uint32(var value): sd_bus_message_append_basic(message, BusType.uint32.code, &value)
        case .anyBool(let value):
            min(
                sd_bus_message_open_container(message, BusType.variant.code, "b"), append(value, to: message),
                sd_bus_message_close_container(message))
        }
    }

    private func append(_ value: Bool, to message: OpaquePointer?) -> Int32 {
        var number: Int32 = value ? 1 : 0
        return sd_bus_message_append_basic(message, BusType.bool.code, &number)
    }
}
