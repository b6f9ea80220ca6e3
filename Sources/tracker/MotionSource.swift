import LinuxIO
import Ports
import TrackerRuntime

/// Where the configuration has the accelerometer: on a bus, with a driver of the kernel, or on whichever has it.
struct MotionSource {
    /// The bus of the pin header of most boards.
    private static let headerBus = "/dev/i2c-1"

    private(set) var bus: (any RegisterBus)?
    private(set) var stream: (any MotionStream)?

    init(_ config: TrackerConfig, _ reactor: LinuxReactor) {
        // Where the search begins; a configured address is where it ends.
        let address = config.accelAddress ?? 0x18
        let place = config.accelBus
        if place == "none" { return }
        if place.hasPrefix("iio:") {
            stream = IIOAccelerometer(root: String(place.dropFirst("iio:".count)), reactor: reactor)
        } else {
            if !place.hasPrefix("unix:") { stream = IIOAccelerometer(reactor: reactor) }
            if place != "iio" { bus = Daemon.registerBus(place == "auto" ? Self.headerBus : place, address: address) }
        }
    }

    var isReal: Bool { bus?.isRealDevice == true || stream?.isRealDevice == true }
    var isSimulated: Bool { (bus != nil || stream != nil) && !isReal }
}
