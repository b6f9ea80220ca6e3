/// Switches the supply of a cellular modem.
///
/// Nothing waits: each call begins and returns, and a later one follows an earlier one that still takes its time. What
/// fails is told through the handler, on the loop.
public protocol ModemPower: AnyObject {
    func switchOn()
    func switchOff()
    /// Off, and on again as soon as the hardware has forgotten that it was.
    func cycle()
    /// The loop has ended: cuts the supply where that can be done without one, and returns when nothing runs any more.
    func close(isOn: Bool)
    /// Called with what failed and what to do.
    var onFailure: ((String) -> Void)? { get set }
}
