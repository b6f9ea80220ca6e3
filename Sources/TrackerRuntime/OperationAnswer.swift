import Ports
import TrackerModel
import WireText

extension ErrorCode {
    /// What an operator is told when the store refuses.
    init(_ failure: StoreFailure) { self = [.full, .readOnly].contains(failure.code) ? .storageFull : .internalError }
}

/// What an operation on the control socket comes to.
enum OperationAnswer {
    case done(JSONValue)
    case refused(ErrorCode, String)

    /// What the work gives, or why it was refused.
    init(_ work: () throws(OperationRefusal) -> JSONValue) {
        do throws(OperationRefusal) { self = .done(try work()) } catch { self = .refused(error.code, error.message) }
    }
}

/// Why an operation does nothing.
struct OperationRefusal: Error {
    var code: ErrorCode
    var message: String

    init(_ code: ErrorCode, _ message: String) {
        self.code = code
        self.message = message
    }

    init(_ failure: StoreFailure) {
        self.init(ErrorCode(failure), failure.message)
    }

    /// A call of the store, its failure as a refusal.
    static func store<Value>(_ call: () throws(StoreFailure) -> Value) throws(OperationRefusal) -> Value {
        do throws(StoreFailure) { return try call() } catch { throw OperationRefusal(error) }
    }
}
