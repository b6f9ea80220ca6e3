import Ports
import TrackerModel

/// What a run leaves for the next one, so that it can tell how this one ended: `BOOT VERSION running`, or `… ended`.
struct RunMark: Equatable {
    var bootID: String
    var version: String
    /// In order; a crash and a power cut leave it false.
    var hasEnded: Bool

    init(_ host: HostFacts, hasEnded: Bool) {
        bootID = host.bootID
        version = host.version
        self.hasEnded = hasEnded
    }

    init?(text: String) {
        let parts = text.split(separator: " ").map(String.init)
        guard parts.count == 3 else { return nil }
        bootID = parts[0]
        version = parts[1]
        hasEnded = parts[2] == "ended"
    }

    var text: String { "\(bootID) \(version) \(hasEnded ? "ended" : "running")" }

    /// Why the run before was interrupted, seen from the one that runs now.
    func interruption(now: HostFacts) -> InterruptionCause {
        let isSameBoot = bootID == now.bootID
        guard hasEnded else { return isSameBoot ? .crash : .powerCut }
        guard isSameBoot else { return .reboot }
        return version == now.version ? .restart : .update
    }
}
