public import TrackerModel

/// Where the battery's state comes from. A read is synchronous; what cannot be read is unknown, never an error.
public protocol BatterySource: AnyObject {
    var name: String { get }
    var isRealDevice: Bool { get }
    func read() -> BatteryReading
}
