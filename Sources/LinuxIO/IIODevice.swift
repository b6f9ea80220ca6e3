import Glibc
import Ports

/// The directory of one device in the tree of the kernel's Industrial I/O (Linux Documentation/ABI/testing/sysfs-bus-iio).
struct IIODevice {
    let path: String
    /// Its buffer.
    let node: String

    /// The first by number that measures acceleration.
    /// - Parameter root: `/sys/bus/iio/devices`, or a tree with its nodes in `dev` beside the devices.
    static func accelerometer(in root: String) -> IIODevice? {
        let nodes = root.hasPrefix("/sys/") ? "/dev" : root + "/dev"
        let numbers = DirectoryListing.names(root).compactMap { name in
            name.hasPrefix("iio:device") ? Int(name.dropFirst("iio:device".count)) : nil
        }
        return numbers.sorted().lazy.map {
            IIODevice(path: "\(root)/iio:device\($0)", node: "\(nodes)/iio:device\($0)")
        }.first { $0.has("in_accel_x_raw") }
    }

    var model: String { text("name") ?? "accelerometer" }
    /// With a FIFO of the chip behind it, which needs no trigger.
    var hasHardwareFIFO: Bool { has("buffer/hwfifo_enabled") || has("buffer/hwfifo_watermark_max") }

    func has(_ attribute: String) -> Bool { access("\(path)/\(attribute)", F_OK) == 0 }

    /// Without the end of the line; `nil` when there is no such attribute, or none that can be read.
    func text(_ attribute: String) -> String? { try? read(attribute) }

    func read(_ attribute: String) throws(SystemFailure) -> String {
        try AtomicFile.firstLine(of: "\(path)/\(attribute)")
    }

    /// The first of several names that there is.
    func first(_ attributes: [String]) -> String? { attributes.first(where: has) }

    func number(_ attributes: [String]) -> Double? { attributes.lazy.compactMap(text).first.flatMap { Double($0) } }

    func write(_ attribute: String, _ value: String) throws(SystemFailure) {
        let place = "\(path)/\(attribute)"
        let fd = try System.open(place, O_WRONLY | O_TRUNC)
        defer { System.close(fd) }
        do throws(SystemFailure) { _ = try System.write(fd, Array((value + "\n").utf8)[...]) } catch {
            throw SystemFailure(call: "write", subject: place, number: error.number)
        }
    }

    /// `nil` when there is no scale, without which raw values say nothing.
    var conversion: IIOConversion? {
        let axes = IIOScan.axisNames
        let scales = axes.compactMap { number(["\($0)_scale", "in_accel_scale"]) }
        guard scales.count == 3, scales.allSatisfy({ $0 > 0 }) else { return nil }
        let mounting = ["in_accel_mount_matrix", "in_mount_matrix", "mount_matrix"].lazy.compactMap(text).first
        return IIOConversion(
            scales: scales, offsets: axes.map { number(["\($0)_offset", "in_accel_offset"]) ?? 0 },
            mounting: mounting.flatMap(IIOConversion.mounting) ?? IIOConversion.identity)
    }

    /// Sets the rate of the device, or of a trigger.
    /// - Returns: what it is then, Hz; `nil` where there is none to be set.
    func setRate(atLeast wish: Double) throws(SystemFailure) -> Double? {
        guard let attribute = first(["in_accel_sampling_frequency", "sampling_frequency"]) else { return nil }
        let offered = text(attribute + "_available").flatMap { IIORates.choice($0, atLeast: wish) }
        // Where nothing is offered, what it takes is a guess; then what it has counts.
        if let offered { try write(attribute, offered) } else { try? write(attribute, "\(Int(wish.rounded(.up)))") }
        return number([attribute]).flatMap { $0 > 0 ? $0 : nil }
    }

    /// What makes a device sample; `timer` where that has a rate of its own.
    typealias Trigger = (name: String, timer: IIODevice?)

    /// What makes it sample: what is set, else its own trigger, else one of a timer.
    func trigger(in root: String) -> Trigger? {
        let triggers = DirectoryListing.names(root).filter { $0.hasPrefix("trigger") }
            .map { IIODevice(path: "\(root)/\($0)", node: "") }
        func timer(_ trigger: IIODevice) -> IIODevice? { trigger.has("sampling_frequency") ? trigger : nil }
        func named(_ name: String) -> IIODevice? { triggers.first { $0.text("name") == name } }
        if let name = text("trigger/current_trigger"), !name.isEmpty { return (name, named(name).flatMap(timer)) }
        // Some drivers have a second one, for movement alone.
        let own = triggers.compactMap { $0.text("name") }.first { $0.hasPrefix(model) && !$0.contains("motion") }
        if let own { return (own, nil) }
        return triggers.lazy.compactMap(timer).first.map { ($0.model, $0) }
    }
}
