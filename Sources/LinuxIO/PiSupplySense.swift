public import Ports

/// A Raspberry Pi's word on its supply: the kernel's `rpi_volt` (Linux Documentation/hwmon/raspberrypi-hwmon), else the
/// firmware's throttled bits.
public final class PiSupplySense: SupplySense {
    private let hwmon: String
    private let throttled: String

    /// - Parameters:
    ///   - hwmonPath: the directory with one entry a sensor chip.
    ///   - throttledPath: the file of older kernels, hexadecimal; bit 0 is an under-voltage now.
    public init(
        hwmonPath: String = "/sys/class/hwmon",
        throttledPath: String = "/sys/devices/platform/soc/soc:firmware/get_throttled"
    ) {
        hwmon = hwmonPath
        throttled = throttledPath
    }

    public func isUnderVoltage() -> Bool? {
        for chip in DirectoryListing.names(hwmon).map({ "\(hwmon)/\($0)" }) where line("\(chip)/name") == "rpi_volt" {
            switch line("\(chip)/in0_lcrit_alarm") {
            case "0": return false
            case "1": return true
            default: break
            }
        }
        return line(throttled).flatMap { UInt32($0, radix: 16) }.map { $0 & 1 != 0 }
    }

    private func line(_ path: String) -> String? { try? AtomicFile.firstLine(of: path) }
}
