public import TrackerModel

/// A program of the host that owns the cellular modem: ModemManager.
///
/// Nothing waits: `modem` is what is known now, each order begins and returns, and what became of one is in `problem`. A
/// program that is not there, starts again or answers nonsense has no modem and a problem until it is well.
public protocol ModemOwner: AnyObject {
    /// `nil`: it has none that is ours.
    var modem: ManagedModem? { get }
    /// What is wrong with it and what to do, or how the last order failed.
    var problem: String? { get }
    /// Begins to look; `changed` is called on the loop after either may have changed.
    func watch(_ changed: @escaping () -> Void)
    /// The mildest that can bring the data connection back.
    func reconnect()
    func reset()
    /// Nothing is told afterwards.
    func close()
}
