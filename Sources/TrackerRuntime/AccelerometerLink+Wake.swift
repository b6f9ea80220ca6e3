import MotionSensing
import Ports
import TrackerModel

/// Sleeping until the chip's interrupt line says that the board was moved (spec capture §13.4). While it is armed there are
/// no samples, and so no stillness is claimed.
extension AccelerometerLink {
    /// An armed chip is asked this often whether it is still there.
    private static let lookMillis: Int64 = 600_000

    /// A line that is wired and believed. Where the kernel has the chip, its interrupt is the driver's.
    var hasWakeInterrupt: Bool { driven == nil && wakeLine != nil && wakeLine?.failure == nil && !wakeGate.isMasked }

    private var isResting: Bool { !isMovingRate && !wantsMovingRate }

    /// Listens to the line from now on. A wake is confirmed by samples, whose readings the engine judges.
    func listen(to line: String, of lines: any DigitalLines) throws(LineFailure) {
        wakeLine = try lines.input(line) { [unowned self] in wakeLineRose() }
    }

    func stopListening() {
        wakeLine?.close()
        wakeLine = nil
    }

    /// At rest and still: from here on the chip watches alone.
    func armIfStill() {
        guard hasWakeInterrupt, isReading, isResting, lastReading?.stillSince != nil, let chip else { return }
        pauseReading()
        do throws(BusFailure) {
            try perform(chip.wake[...]) { [unowned self] in
                // Movement began while the chip was being set up.
                guard isResting else { return restart() }
                isArmed = true
                look()
                // The edge may have come before anybody minded it.
                if wakeLine?.isActive == true { wakeLineRose() }
            }
        } catch { fail(error) }
    }

    private func look() {
        after(Self.lookMillis, toleranceMillis: Self.lookMillis / 10) { [unowned self] () throws(BusFailure) in
            guard isArmed, let chip else { return }
            let found = try bus?.read(chip.identityRegister, count: 1).first ?? 0
            guard chip.identities.contains(found) else {
                throw BusFailure(
                    code: .noAnswer, cause: "the \(chip.model) on \(name) is gone", remedy: "check its supply")
            }
            look()
        }
    }

    private func wakeLineRose() {
        let wasMasked = wakeGate.isMasked
        let counts = wakeGate.fired(at: reactor.now)
        if wakeGate.isMasked, !wasMasked {
            onDiagnostic(
                "wake_line_masked: \(wakeLine?.name ?? "") fires without end; the chip is polled, check the wire")
        }
        // Sampling ends the interrupt; it is armed again when the board lies still.
        if isArmed, counts || wakeGate.isMasked { restart() }
    }
}
