import Glibc
import Ports

extension ByteStreamFailure {
    /// What a failed call on the way to the gpsd at `name` means to the operator.
    static func connecting(_ name: String, _ failure: SystemFailure) -> Self {
        let cause = "\(failure)"
        switch (failure.call, failure.number) {
        case ("getaddrinfo", EAGAIN):
            return Self(
                code: .io, cause: "getaddrinfo \(failure.subject): the name service does not answer",
                remedy: "check the network, or give the host's address in gnss.device")
        case ("getaddrinfo", _):
            return Self(
                code: .absent, cause: "getaddrinfo \(failure.subject): no host of this name",
                remedy: "correct the host in gnss.device, or give its address")
        case (_, ECONNREFUSED):
            return Self(
                code: .absent, cause: cause,
                remedy: "start gpsd (systemctl start gpsd.socket) or correct gnss.device; "
                    + "to be reached from another host it needs the option -G")
        case (_, ENETUNREACH), (_, EHOSTUNREACH), (_, ETIMEDOUT), (_, ENETDOWN):
            return Self(code: .absent, cause: cause, remedy: "check the network to the host of \(name)")
        case (_, ECONNRESET), (_, EPIPE):
            return .closedByGPSD(name)
        default:
            return Self(code: .io, cause: cause, remedy: "check the network, and gpsd on the host of \(name)")
        }
    }

    static func refused(_ name: String, _ refusal: GPSDConversation.Refusal) -> Self {
        switch refusal {
        case .notGPSD(let said):
            Self(
                code: .unsuitable, cause: "what answers at \(name) is no gpsd, it says '\(said)'",
                remedy: "correct host and port in gnss.device; gpsd listens on \(GPSDAddress.standardPort)")
        case .noDevice:
            Self(
                code: .absent, cause: "the gpsd at \(name) has no receiver",
                remedy: "name its port in DEVICES of /etc/default/gpsd there, or add it: gpsdctl add /dev/serial0")
        case .error(let words):
            Self(
                code: .unsuitable, cause: "the gpsd at \(name) refuses: \(words)",
                remedy: "use gpsd 3.x (protocol 3), which most systems package")
        }
    }

    static func closedByGPSD(_ name: String) -> Self {
        Self(
            code: .unplugged, cause: "the gpsd at \(name) closed the connection",
            remedy: "see why it ended (journalctl -u gpsd); it is connected again when it is back")
    }

    static func silentGPSD(_ name: String) -> Self {
        Self(
            code: .io, cause: "the gpsd at \(name) does not answer",
            remedy: "check the network and gpsd there: 'gpspipe -w' must show a VERSION line")
    }

    static func silentReceiver(_ name: String, _ device: String) -> Self {
        Self(
            code: .io, cause: "the gpsd at \(name) sends nothing of \(device)",
            remedy: "check there with 'cgps' that gpsd hears the receiver, and the receiver's power and cable")
    }

    static func notThroughGPSD(_ name: String) -> Self {
        Self(
            code: .unsuitable, cause: "no commands go through the gpsd at \(name)",
            remedy: "configure the receiver with gpsctl or ubxtool, or give gnss.device its port and stop gpsd")
    }
}
