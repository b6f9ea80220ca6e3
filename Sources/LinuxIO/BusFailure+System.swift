import Glibc
import Ports

extension BusFailure {
    /// What a transfer may take (`RegisterBus`).
    static let transferMillis: Int64 = 100

    /// What a failed call while opening a bus means to the operator.
    static func opening(_ path: String, _ failure: SystemFailure) -> Self {
        switch failure.number {
        case EACCES, EPERM:
            Self(
                code: .denied, cause: "\(failure)",
                remedy: "add the service user to the group that owns \(path) (ls -l \(path)) and restart the service")
        case EBUSY:
            Self(
                code: .held, cause: "\(failure)",
                remedy:
                    "unload the kernel driver that holds the address (ls /sys/bus/i2c/devices), or set accel.bus: iio")
        case ENOTTY:
            Self(code: .absent, cause: "\(failure)", remedy: "set accel.bus to an I²C bus; \(path) is none")
        default:
            Self(
                code: .absent, cause: "\(failure)",
                remedy: "check accel.bus and that the bus is enabled (ls \(path); raspi-config or dtparam=i2c_arm=on)")
        }
    }

    /// What a failed transfer means. `ENXIO` and `EREMOTEIO` are how adapters say that nobody acknowledged
    /// (Linux Documentation/i2c/fault-codes).
    static func transfer(_ name: String, _ failure: SystemFailure) -> Self {
        switch failure.number {
        case ENXIO, EREMOTEIO, ENODEV:
            Self(
                code: .noAnswer, cause: "\(failure)",
                remedy: "check wiring, power and address of the chip (i2cdetect) and accel.address")
        default:
            Self(
                code: .io, cause: "\(failure)",
                remedy: "check the wiring and the pull-ups of \(name); the transfer is tried again")
        }
    }

    /// What a failed call on an accelerometer of the kernel means.
    static func kernelDriver(_ place: String, _ failure: SystemFailure) -> Self {
        switch failure.number {
        case EACCES, EPERM, EROFS:
            Self(
                code: .denied, cause: "\(failure)",
                remedy:
                    "let the service user read and write \(place) (deploy/60-tracker.rules), and restart the service")
        case EBUSY:
            Self(
                code: .io, cause: "\(failure)",
                remedy: "another program reads it (systemctl stop iio-sensor-proxy); it is tried again")
        case ENODEV, ENXIO, ENOENT:
            Self(
                code: .noAnswer, cause: "\(place) is gone (\(failure))",
                remedy: "check its supply and wiring, and what its driver says (dmesg)")
        default:
            Self(
                code: .io, cause: "\(failure)",
                remedy: "see what its driver says (dmesg), and which trigger it has; it is tried again")
        }
    }

    static func noDriver(_ root: String) -> Self {
        Self(
            code: .absent, cause: "no driver of the kernel has an accelerometer in \(root)",
            remedy: "load the driver of the chip (an overlay, dmesg), or set accel.bus to its I²C bus")
    }

    static func noScale(_ place: String) -> Self {
        Self(code: .io, cause: "\(place) tells no scale", remedy: "see what its driver says (dmesg)")
    }

    /// - Parameter why: it is read one by one.
    static func slowReading(_ why: String, _ millis: Int64) -> Self {
        Self(
            code: .io, cause: "\(why), and a reading takes \(millis) ms, for which everything would wait",
            remedy: "give it a trigger that the service may set (docs/modules/accelerometers.md)")
    }

    /// - Parameter limit: registers of one transfer.
    static func badCount(_ count: Int, limit: Int) -> Self {
        Self(
            code: .io, cause: "a transfer of \(count) registers", remedy: "ask for 1 to \(limit) registers at a time")
    }
}
