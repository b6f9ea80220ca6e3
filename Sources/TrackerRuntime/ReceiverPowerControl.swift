import GNSSCodecs
import TrackerModel

/// How the receiver's power is controlled (spec power §3, `gnss.powerControl`).
public enum ReceiverPowerControl: String, Sendable, CaseIterable {
    /// It runs all the time.
    case none
    /// UBX-RXM-PMREQ; wakes when its UART hears something.
    case ubx
    /// PMTK161; wakes with any byte.
    case mtk

    /// The command that sends it to sleep; `nil` for a receiver of another family, which would not know it.
    /// - Parameter wakesAfterMillis: it wakes by itself then, where the command can say so; `nil`: never.
    func sleep(_ identity: ReceiverIdentity?, wakesAfterMillis: Int64?) -> ReceiverCommand? {
        switch (self, identity?.family) {
        case (.ubx, .ublox), (.ubx, nil):
            .ubxBackup(
                durationMillis: wakesAfterMillis.map { Int(clamping: max(1, $0)) } ?? 0,
                protocolVersion: identity?.protocolVersion)
        case (.mtk, .mtk), (.mtk, nil): .mtkStandby
        case (.none, _), (.ubx, _), (.mtk, _): nil
        }
    }

    /// What wakes it, lost by being heard: bytes that begin no frame of any protocol. More than one, as the first edges
    /// only start the UART's clock.
    static let call = [UInt8](repeating: 0xFF, count: 8)
}
