public import TrackerModel

/// Where the battery's state comes from. A read is synchronous; what cannot be read is unknown, never an error.
public protocol BatterySource: AnyObject {
    var name: String { get }
    var isRealDevice: Bool { get }
    func read() -> BatteryReading
    /// Why nothing is known and what to do, where that is a fault; `nil` otherwise.
    var problem: String? { get }
    /// Pulls its alert line from now on when the charge falls below one of these percentages; a read ends the alert.
    func alert(below percents: [Int])
    /// Why it does not.
    var alertProblem: String? { get }
}

extension BatterySource {
    public var problem: String? { nil }
    public var alertProblem: String? { nil }
    public func alert(below percents: [Int]) {}
}

/// The board's sense of its own supply.
public protocol SupplySense: AnyObject {
    /// The supply sags now, or has just done so; `nil` when the board does not say.
    func isUnderVoltage() -> Bool?
}

/// Ends the host's run.
public protocol HostPower: AnyObject {
    /// Asks for a clean power-off and returns at once.
    /// - Parameter failed: called on the loop when it will not happen, with the reason and what to do.
    func powerOff(_ failed: @escaping (String) -> Void)
}

/// What this process costs the host; all counted from its start.
public protocol HostLoad: AnyObject {
    /// Of the event loop.
    var wakeUps: Int64 { get }
    /// Times that one of its threads went to sleep to be woken again (`ru_nvcsw` of getrusage(2)).
    var contextSwitches: Int64 { get }
    /// User and system time of all threads.
    var cpuMillis: Int64 { get }
}
