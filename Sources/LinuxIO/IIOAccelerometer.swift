import Glibc
public import Ports
public import TrackerModel

/// An accelerometer that a driver of the kernel has, through Industrial I/O: from its buffer where something makes it
/// sample, else by reading its axes one after the other.
public final class IIOAccelerometer: MotionStream {
    public static let tree = "/sys/bus/iio/devices"
    /// Without a buffer: how often the axes are read. Everything waits meanwhile, so that it is made more rarely where it
    /// takes more than a fifth of the time, and not at all where that is longer than the loop may be held up.
    private static let pollMillis: Int64 = 100
    private static let readingShare: Int64 = 5
    private static let longestReadingMillis: Int64 = 40
    /// Then the next attempt is so many times as long away.
    private static let slowPause: Int64 = 100
    /// ST's drivers wait for two samples at each reading of an axis (`bootime` of the kernel's st_accel_core.c).
    private static let polledWishHz = 400.0
    /// Batches that the kernel keeps for a loop that is late.
    private static let mostBatches = 8
    private static let boottime = "boottime"

    private let root: String
    private let reactor: LinuxReactor
    private let clock: () -> Int64
    private var device: IIODevice?
    private var conversion = IIOConversion(scales: [1, 1, 1])
    private var onSamples: ([MotionSample]) -> Void = { _ in }
    private var onLost: (BusFailure) -> Void = { _ in }
    private let alarm: Alarm
    private var fd: Int32 = -1
    private var scan: IIOScan?
    /// The clock of its time stamps is the loop's.
    private var hasBootTime = false
    /// The beginning of a scan.
    private var rest: [UInt8] = []
    private var lastRead = Instant.zero
    /// Reading it one by one would hold everything up: not tried again before.
    private var tooSlow: (until: Int64, failure: BusFailure)?

    /// - Parameters:
    ///   - root: one directory a device; elsewhere than below `/sys` its nodes are in `dev` there.
    ///   - clock: what readings are timed with, milliseconds.
    public init(
        root: String = IIOAccelerometer.tree, reactor: LinuxReactor,
        clock: @escaping () -> Int64 = { Host.uptimeMillis }
    ) {
        self.root = root
        self.reactor = reactor
        self.clock = clock
        alarm = Alarm(reactor)
    }

    deinit { close() }

    public var name: String { device?.path ?? root }
    public var isRealDevice: Bool { root.hasPrefix("/sys/") }

    public func open(
        rateHz: Double, batch: Int, onSamples: @escaping ([MotionSample]) -> Void,
        onLost: @escaping (BusFailure) -> Void
    ) throws(BusFailure) -> MotionStreamFacts {
        close()
        guard let device = IIODevice.accelerometer(in: root) else { throw .noDriver(root) }
        guard let conversion = device.conversion else { throw .noScale(device.path) }
        (self.device, self.conversion, self.onSamples, self.onLost) = (device, conversion, onSamples, onLost)
        lastRead = reactor.now
        var why: String
        do throws(SystemFailure) {
            if let rate = try openBuffer(device, rateHz, batch) {
                return MotionStreamFacts(model: device.model, rateHz: rate)
            }
            why = "there is no trigger for \(device.path)"
        } catch {
            guard error.number == EACCES || error.number == EPERM || error.number == EROFS else {
                throw .kernelDriver(device.path, error)
            }
            why = "\(error)"
        }
        let millis = try probe(device, why)
        let period = Self.period(readingMillis: millis)
        if period > Self.pollMillis { why += ", and a reading takes \(millis) ms" }
        poll(afterMillis: period)
        return MotionStreamFacts(model: device.model, rateHz: 1_000 / Double(period), polledBecause: why)
    }

    public func close() {
        alarm.cancel()
        guard fd >= 0 else { return }
        reactor.unwatch(fd)
        System.close(fd)
        fd = -1
        try? device?.write("buffer/enable", "0")
    }

    private func lost(_ failure: SystemFailure) {
        close()
        onLost(.kernelDriver(name, failure))
    }
}

// MARK: - The buffer

extension IIOAccelerometer {
    /// - Returns: samples a second; `nil` where nothing makes the device fill a buffer.
    private func openBuffer(_ device: IIODevice, _ rateHz: Double, _ batch: Int) throws(SystemFailure) -> Double? {
        guard device.has("buffer/enable") else { return nil }
        let trigger = device.hasHardwareFIFO ? nil : device.trigger(in: root)
        guard device.hasHardwareFIFO || trigger != nil else { return nil }
        // One program at a time may open it: before anything is changed. A buffer that is on is a dead program's.
        let fd = try System.open(device.node, O_RDONLY | O_NONBLOCK)
        do throws(SystemFailure) {
            guard let (rate, scan) = try configure(device, trigger, rateHz, batch) else {
                System.close(fd)
                return nil
            }
            try device.write("buffer/enable", "1")
            try reactor.watch(fd, for: .readable) { [weak self] in self?.ready($0) }
            (self.fd, self.scan, rest) = (fd, scan, [])
            return rate
        } catch {
            System.close(fd)
            throw error
        }
    }

    private func configure(
        _ device: IIODevice, _ trigger: IIODevice.Trigger?, _ rateHz: Double, _ batch: Int
    ) throws(SystemFailure) -> (rate: Double, scan: IIOScan)? {
        try device.write("buffer/enable", "0")
        var rate = try device.setRate(atLeast: rateHz)
        // A trigger set by somebody else turns the FIFO off; a device with a FIFO alone has no such attribute.
        if device.has("trigger/current_trigger") { try device.write("trigger/current_trigger", trigger?.name ?? "") }
        if let timer = trigger?.timer { rate = try timer.setRate(atLeast: rateHz) }
        guard let rate, let scan = try enable(device) else { return nil }
        let most = device.number(["buffer/hwfifo_watermark_max"]).map { max(1, Int($0)) } ?? batch
        try device.write("buffer/length", "\(batch * Self.mostBatches)")
        if device.has("buffer/watermark") { try device.write("buffer/watermark", "\(min(batch, most))") }
        return (rate, scan)
    }

    /// Asks for the axes and their time alone; what cannot be left out is passed over.
    private func enable(_ device: IIODevice) throws(SystemFailure) -> IIOScan? {
        if device.has("current_timestamp_clock") { try device.write("current_timestamp_clock", Self.boottime) }
        hasBootTime = device.text("current_timestamp_clock") == Self.boottime
        var elements: [String: IIOElement] = [:]
        for file in DirectoryListing.names(device.path + "/scan_elements") where file.hasSuffix("_en") {
            let name = String(file.dropLast(3))
            let isWanted = IIOScan.axisNames.contains(name) || name == IIOScan.timestampName && hasBootTime
            let attribute = "scan_elements/" + name
            if device.text(attribute + "_en") != (isWanted ? "1" : "0") {
                try device.write(attribute + "_en", isWanted ? "1" : "0")
            }
            guard device.text(attribute + "_en") == "1" else { continue }
            let element = IIOElement(
                type: try device.read(attribute + "_type"), index: try device.read(attribute + "_index"))
            // Without knowing one, the places of the others are unknown.
            guard let element else { return nil }
            elements[name] = element
        }
        return IIOScan(elements)
    }

    private func ready(_ events: FileEvents) {
        guard let scan else { return }
        do throws(SystemFailure) {
            var isOver = !events.isDisjoint(with: [.hungUp, .failed])
            while let part = try System.read(fd, limit: 16_384) {
                isOver = isOver || part.isEmpty
                if part.isEmpty { break }
                rest += part
            }
            take(scan)
            if fd >= 0, isOver { throw SystemFailure(call: "read", subject: name, number: ENODEV) }
        } catch { lost(error) }
    }

    private func take(_ scan: IIOScan) {
        let count = rest.count / scan.byteCount
        guard count > 0 else { return }
        let now = reactor.now
        let scans = (0..<count).map { scan.read(rest, at: $0 * scan.byteCount) }
        rest.removeFirst(count * scan.byteCount)
        let times = times(scans.map(\.nanos), now)
        lastRead = now
        onSamples(zip(scans, times).map { conversion.sample($0.raw, at: $1) })
    }

    /// The driver's, as far as they can be; else evenly since the last read.
    private func times(_ nanos: [Int64?], _ now: Instant) -> [Instant] {
        let given = hasBootTime ? nanos.compactMap { $0.map { Instant(nanos: $0) } } : []
        let isRising = zip(given, given.dropFirst()).allSatisfy { $0 < $1 }
        if given.count == nanos.count, isRising, let last = given.last, last <= now,
            now.nanos(since: last) < 2_000_000_000
        {
            return given
        }
        let period = now.nanos(since: lastRead) / Int64(nanos.count)
        return nanos.indices.map { now.advanced(byNanos: -Int64(nanos.count - 1 - $0) * period) }
    }
}

// MARK: - One by one

extension IIOAccelerometer {
    private func axes(_ device: IIODevice) throws(SystemFailure) -> [Int64] {
        var raw: [Int64] = []
        for axis in IIOScan.axisNames { raw.append(try value(axis, of: device)) }
        return raw
    }

    private func value(_ axis: String, of device: IIODevice) throws(SystemFailure) -> Int64 {
        let text = try device.read(axis + "_raw")
        guard let value = Int64(text) else {
            throw SystemFailure(call: "read", subject: "\(device.path)/\(axis)_raw", number: EPROTO)
        }
        return value
    }

    private static func period(readingMillis millis: Int64) -> Int64 { max(pollMillis, readingShare * millis) }

    /// Reads the axes once, at a rate at which that is quick.
    /// - Returns: how long it takes, in milliseconds.
    private func probe(_ device: IIODevice, _ why: String) throws(BusFailure) -> Int64 {
        if let tooSlow, clock() < tooSlow.until { throw tooSlow.failure }
        _ = try? device.setRate(atLeast: Self.polledWishHz)
        let start = clock()
        var millis: Int64 = 0
        for axis in IIOScan.axisNames where millis <= Self.longestReadingMillis {
            do throws(SystemFailure) { _ = try value(axis, of: device) } catch {
                throw .kernelDriver(device.path, error)
            }
            millis = clock() - start
        }
        guard millis > Self.longestReadingMillis else { return millis }
        let failure = BusFailure.slowReading(why, millis)
        tooSlow = (clock() + millis * Self.slowPause, failure)
        throw failure
    }

    private func poll(afterMillis millis: Int64) {
        alarm.set(afterMillis: millis, toleranceMillis: 5) { [weak self] in
            guard let self, let device else { return }
            do throws(SystemFailure) {
                let start = clock()
                let raw = try axes(device)
                let took = clock() - start
                poll(afterMillis: Self.period(readingMillis: took) - took)
                onSamples([conversion.sample(raw, at: reactor.now)])
            } catch { lost(error) }
        }
    }
}
