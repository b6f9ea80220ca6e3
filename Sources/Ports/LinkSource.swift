public import TrackerModel

/// Something that sees the link, or a part of it: the kernel its routes and carriers, a modem its network.
///
/// A promise, whatever keeps it: `reading` answers at once with what is known now and never waits for a device; `changed`
/// is called on the loop after it may have changed, from time to time also when it has not. A source that has lost its
/// device says nothing of it.
public protocol LinkSource: AnyObject {
    var reading: LinkReading { get }
    func watch(_ changed: @escaping () -> Void)
    /// Nothing is reported afterwards.
    func close()
}
