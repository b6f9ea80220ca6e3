import GNSSCodecs
import TrackerEngine
import TrackerModel

/// How the receiver's power is controlled (spec power §3, `gnss.powerControl`).
public enum ReceiverPowerControl: String, Sendable, CaseIterable {
    /// It runs all the time.
    case none
    /// UBX-RXM-PMREQ; wakes when its UART hears something.
    case ubx
    /// PMTK161; wakes with any byte.
    case mtk
    /// PAIR003; goes on hearing, and is started by PAIR002.
    case pair
    /// `gnss.powerLine` feeds or enables it.
    case gpio

    /// What its command comes to; `nil`: it has none.
    var rest: ReceiverRest? {
        switch self {
        case .ubx: .backup
        case .mtk, .pair: .standby
        case .none, .gpio: nil
        }
    }

    /// Its command can say when it wakes by itself.
    var wakesByTime: Bool { self == .ubx }

    /// The commands that send it to sleep; empty for a receiver of another family, which would not know them.
    /// - Parameter wakesAfterMillis: it wakes by itself then, where the command can say so (`wakesByTime`); `nil`: never.
    func sleep(_ identity: ReceiverIdentity?, wakesAfterMillis: Int64?) -> [ReceiverCommand] {
        switch (self, identity?.family) {
        case (.ubx, .ublox), (.ubx, nil):
            [
                .ubxBackup(
                    durationMillis: wakesAfterMillis.map { Int(clamping: max(1, $0)) } ?? 0,
                    protocolVersion: identity?.protocolVersion)
            ]
        case (.mtk, .mtk), (.mtk, nil): [.mtkStandby]
        case (.pair, .quectel), (.pair, nil): [.pairLockSleep, .pairStop]
        case (.none, _), (.ubx, _), (.mtk, _), (.pair, _), (.gpio, _): []
        }
    }

    /// The control that a receiver's own commands are under; `nil`: it has none for sleep.
    static func forFamily(_ family: ReceiverFamily?) -> Self? {
        switch family {
        case .ublox: .ubx
        case .mtk: .mtk
        case .quectel: .pair
        case .generic, nil: nil
        }
    }

    /// What wakes it. Where any byte does, it is lost by being heard: bytes that begin no frame of any protocol, more than
    /// one, as the first edges only start the UART's clock.
    /// - Parameter number: 1 is the first call of a start. An LC86G may not know `PAIR002` after `PAIR003` (its protocol
    ///   specification); a hot start is for what has not begun to talk by then.
    func call(_ number: Int) -> [UInt8] {
        switch self {
        case .ubx, .mtk: [UInt8](repeating: 0xFF, count: 8)
        case .pair: (number <= 5 ? ReceiverCommand.pairStart : .pairReset(.hot)).bytes
        case .none, .gpio: []
        }
    }
}
