import MotionSensing
import Ports

/// Looks for an accelerometer on a bus: at each address the identities of all chips that may be there.
struct AccelerometerSearch {
    /// `nil`: at all addresses of the known chips.
    var address: UInt8?

    /// Leaves the bus at the address of the chip that was found.
    /// - Throws: why there is none. A bus that works is asked at all addresses before it is given up; one that does not
    ///   is asked once, because every further transfer takes its whole time-out.
    func find(on bus: any RegisterBus) throws(BusFailure) -> any AccelerometerChip {
        var refusal: BusFailure?
        var strangers: [String] = []
        for place in address.map({ [$0] }) ?? Self.addresses {
            bus.address = place
            do throws(BusFailure) {
                for chip in AccelerometerChips.all where address != nil || chip.addresses.contains(place) {
                    let found = try bus.read(chip.identityRegister, count: 1).first ?? 0
                    if chip.identities.contains(found) { return chip }
                    strangers.append(
                        "\(Self.hex(place)) register \(Self.hex(chip.identityRegister)): \(Self.hex(found))")
                }
            } catch {
                switch error.code {
                case .noAnswer: refusal = refusal ?? error
                // One address may belong to a driver of the kernel.
                case .denied, .held: refusal = error
                case .absent, .io: throw error
                }
            }
        }
        let places = address.map(Self.hex) ?? Self.addresses.map(Self.hex).joined(separator: ", ")
        if !strangers.isEmpty {
            throw BusFailure(
                code: refusal?.code == .held ? .held : .noAnswer,
                cause: "no known accelerometer on \(bus.name) (\(strangers.joined(separator: "; ")))",
                remedy:
                    "wire one of \(AccelerometerChips.all.map(\.model).joined(separator: ", ")), or set accel.bus to none"
            )
        }
        if let refusal, refusal.code != .noAnswer { throw refusal }
        throw BusFailure(
            code: .noAnswer, cause: "nothing on \(bus.name) answers at \(places)",
            remedy: "check its supply and wiring (i2cdetect -y N), accel.bus and accel.address")
    }

    /// Every address that a known chip may have, in the order in which they are tried.
    static var addresses: [UInt8] {
        var seen: [UInt8] = []
        for place in AccelerometerChips.all.flatMap(\.addresses) where !seen.contains(place) { seen.append(place) }
        return seen
    }

    static func hex(_ byte: UInt8) -> String { (byte < 16 ? "0x0" : "0x") + String(byte, radix: 16) }
}
