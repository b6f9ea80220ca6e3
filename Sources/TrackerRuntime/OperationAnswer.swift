import TrackerModel
import WireText

/// What an operation on the control socket comes to.
enum OperationAnswer {
    case done(JSONValue)
    case refused(ErrorCode, String)
}
