public import TrackerModel

/// What an accelerometer that the kernel drives turned out to be, once it samples.
public struct MotionStreamFacts: Equatable, Sendable {
    /// The chip, as its driver names it.
    public var model: String
    /// Samples a second: as near to the wish as the driver comes.
    public var rateHz: Double
    /// Why samples are fetched one by one, and more rarely; `nil`: they come in batches from the kernel's buffer.
    public var polledBecause: String?

    public init(model: String, rateHz: Double, polledBecause: String? = nil) {
        self.model = model
        self.rateHz = rateHz
        self.polledBecause = polledBecause
    }
}

/// An accelerometer that a driver of the kernel samples. All callbacks are on the loop.
public protocol MotionStream: AnyObject {
    /// The place where it is looked for, and that of the device once it is open.
    var name: String { get }
    /// False for a tree that a test or a simulator made.
    var isRealDevice: Bool { get }

    /// Looks for the device and has it sample at the slowest rate that is not below the wish.
    /// - Parameters:
    ///   - batch: samples that are handed over together, where the driver can.
    ///   - onSamples: oldest first, never empty.
    ///   - onLost: called once; nothing comes after it before another `open`.
    /// - Throws: `absent` when no driver has an accelerometer; nothing is open then.
    func open(
        rateHz: Double, batch: Int, onSamples: @escaping ([MotionSample]) -> Void,
        onLost: @escaping (BusFailure) -> Void
    ) throws(BusFailure) -> MotionStreamFacts
    func close()
}
