/// The host's default route.
public protocol RouteSource: AnyObject {
    /// The interface of the default route, of IPv4 before IPv6; `nil` when there is none.
    var defaultInterface: String? { get }
    /// Calls `changed` on the loop whenever it may have changed.
    func watch(_ changed: @escaping () -> Void)
    func close()
}
