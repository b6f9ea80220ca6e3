import DeviceSimulator
import Ports
import TrackerModel

/// The interrupt line of a simulated LIS3DH: looked at every 100 ms while the chip watches and the board is shaken.
/// While nothing shakes it nothing is looked at, so that a loop may leap over a night.
final class WakeLine: DigitalLines, DigitalInput {
    static let lineName = "WAKE"
    private static let lookMillis: Int64 = 100
    /// Of a LIS3DH (ST DocID17530): CTRL_REG1 is written when it is set up anew, INT1_CFG last of all when it is to watch.
    private static let setUpRegister: UInt8 = 0x20
    private static let watchRegister: UInt8 = 0x30

    let name = WakeLine.lineName
    private let bus: SimulatedBus
    private let motion: MotionScript
    private let reactor: any Reactor
    private let alarm: Alarm
    private var onEdge: (LineEdge) -> Void = { _ in }
    private var isWatching = false
    private(set) var isActive = false
    /// How often it was looked at in vain: wake-ups that a real line does not cost.
    private(set) var looks: Int64 = 0

    init(bus: SimulatedBus, motion: MotionScript, reactor: any Reactor) {
        self.bus = bus
        self.motion = motion
        self.reactor = reactor
        alarm = Alarm(reactor)
        bus.onWrite = { [unowned self] register, value in
            guard register == Self.watchRegister || register == Self.setUpRegister else { return }
            isWatching = register == Self.watchRegister && value != 0
            isActive = false
            arm()
        }
    }

    func input(_ line: String, onEdge: @escaping (LineEdge) -> Void) throws(LineFailure) -> any DigitalInput {
        self.onEdge = onEdge
        return self
    }

    func output(_ line: String, isActive: Bool) throws(LineFailure) -> any DigitalOutput {
        throw LineFailure(cause: "the bench has no output", remedy: "name none")
    }

    func close() { alarm.cancel() }

    private func arm() {
        guard isWatching else { return alarm.cancel() }
        let now = reactor.now
        let isStill = motion.activity(at: now) == .still
        let due = max(isStill ? motion.end(at: now) : now, now.advanced(byMillis: Self.lookMillis))
        alarm.set(at: due, toleranceMillis: 0) { [unowned self] in look() }
    }

    private func look() {
        let was = isActive
        isActive = bus.chip.isInterrupting(at: reactor.now)
        if isActive, !was { onEdge(LineEdge(isActive: true, at: reactor.now)) } else { looks += 1 }
        if isWatching, !alarm.isSet { arm() }
    }
}
