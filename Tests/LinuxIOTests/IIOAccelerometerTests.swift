import Foundation
import Ports
import Testing
import TrackerModel

@testable import LinuxIO

/// A tree with one driven accelerometer, whose buffer is a pipe.
private final class IIOTree {
    let directory = TemporaryDirectory()
    let reactor: LinuxReactor
    var batches: [[MotionSample]] = []
    var failures: [BusFailure] = []
    private var pipe: Int32 = -1
    /// What reading an axis takes, as the source measures it.
    var axisMillis: Int64 = 0
    var measured: Int64 = 0
    private(set) lazy var source = IIOAccelerometer(root: directory.path, reactor: reactor) { [unowned self] in
        measured += axisMillis
        return measured
    }

    init(buffered: Bool = true, rates: Bool = true) throws {
        reactor = try LinuxReactor()
        // Something else comes first, and numbers are no text.
        put("iio:device2/in_voltage0_raw", "5")
        for (name, text) in [
            "name": "lis2dh12_accel", "in_accel_x_raw": "0", "in_accel_y_raw": "0", "in_accel_z_raw": "1000",
            "in_accel_scale": "0.00980665",
        ] { put("iio:device10/\(name)", text) }
        guard buffered else { return }
        if rates {
            put("iio:device10/sampling_frequency", "100")
            put("iio:device10/sampling_frequency_available", "1 10 25 50 100")
        }
        put("iio:device10/trigger/current_trigger", "")
        for name in ["enable", "length", "watermark"] { put("iio:device10/buffer/\(name)", "0") }
        for (index, name) in (IIOScan.axisNames + ["in_timestamp"]).enumerated() {
            put("iio:device10/scan_elements/\(name)_en", "0")
            put("iio:device10/scan_elements/\(name)_index", "\(index)")
            put("iio:device10/scan_elements/\(name)_type", index < 3 ? "le:s12/16>>4" : "le:s64/64>>0")
        }
        put("trigger0/name", "lis2dh12_accel-trigger")
        directory.put("dev/x", "")
        mkfifo(directory.file("dev/iio:device10"), 0o600)
    }

    deinit { if pipe >= 0 { close(pipe) } }

    func put(_ name: String, _ text: String) { directory.put(name, text + "\n") }
    func text(_ name: String) -> String {
        let bytes = (try? AtomicFile.read(path: directory.file("iio:device10/" + name))) ?? []
        return String(decoding: bytes.prefix { $0 != 0x0A }, as: UTF8.self)
    }

    func open(rateHz: Double = 50, batch: Int = 25) throws(BusFailure) -> MotionStreamFacts {
        try source.open(
            rateHz: rateHz, batch: batch,
            onSamples: { [unowned self] in
                batches.append($0)
                reactor.stop()
            },
            onLost: { [unowned self] in
                failures.append($0)
                reactor.stop()
            })
    }

    /// What the driver puts into the buffer: counts of 1/1000 g in the upper twelve bits.
    func feed(_ raw: [[Int16]], stamps: [Int64] = []) {
        if pipe < 0 { pipe = Glibc.open(directory.file("dev/iio:device10"), O_WRONLY | O_NONBLOCK) }
        var bytes: [UInt8] = []
        for (index, axes) in raw.enumerated() {
            for axis in axes { withUnsafeBytes(of: (axis << 4).littleEndian) { bytes += $0 } }
            guard !stamps.isEmpty else { continue }
            bytes += [0, 0]
            withUnsafeBytes(of: stamps[index].littleEndian) { bytes += $0 }
        }
        #expect(write(pipe, bytes, bytes.count) == bytes.count)
    }

    func hangUp() {
        close(pipe)
        pipe = -1
    }
}

@Suite("Accelerometers of the kernel")
struct IIOAccelerometerTests {
    @Test("The buffer is set up with the driver's own trigger, and its scans are samples")
    func buffered() throws {
        let tree = try IIOTree()
        #expect(try tree.open() == MotionStreamFacts(model: "lis2dh12_accel", rateHz: 50))
        #expect(tree.source.name == tree.directory.file("iio:device10") && !tree.source.isRealDevice)
        #expect(tree.text("trigger/current_trigger") == "lis2dh12_accel-trigger")
        #expect(["x", "y", "z"].map { tree.text("scan_elements/in_accel_\($0)_en") } == ["1", "1", "1"])
        #expect(tree.text("scan_elements/in_timestamp_en") == "0")
        #expect(tree.text("buffer/length") == "200" && tree.text("buffer/watermark") == "25")
        #expect(tree.text("buffer/enable") == "1")

        tree.feed([[0, 0, 1_000], [-500, 250, 1_000]])
        try Loop.run(tree.reactor)
        let samples = try #require(tree.batches.first)
        #expect(samples.count == 2 && abs(samples[0].z - 1) < 1e-6)
        #expect(abs(samples[1].x + 0.5) < 1e-6 && abs(samples[1].y - 0.25) < 1e-6)
        #expect(samples[0].instant < samples[1].instant && samples[1].instant <= tree.reactor.now)

        tree.source.close()
        #expect(tree.text("buffer/enable") == "0")
    }

    @Test("A scan that comes in two parts is one") func parts() throws {
        let tree = try IIOTree()
        _ = try tree.open()
        tree.feed([[1, 2, 3], [4, 5]])
        try Loop.run(tree.reactor)
        tree.feed([[6], [7, 8, 9]])
        try Loop.run(tree.reactor)
        #expect(tree.batches.map(\.count) == [1, 2])
        #expect(abs((tree.batches.last?.first?.z ?? 0) - 0.006) < 1e-9)
    }

    @Test("Time stamps of the loop's clock are taken; others and impossible ones are spread evenly") func stamps()
        throws
    {
        let tree = try IIOTree()
        tree.put("iio:device10/current_timestamp_clock", "realtime")
        _ = try tree.open()
        #expect(tree.text("current_timestamp_clock") == "boottime" && tree.text("scan_elements/in_timestamp_en") == "1")
        let now = tree.reactor.now
        tree.feed([[0, 0, 1], [0, 0, 2]], stamps: [now.nanos - 40_000_000, now.nanos - 10_000_000])
        try Loop.run(tree.reactor)
        #expect((tree.batches.first ?? []).map { now.nanos(since: $0.instant) } == [40_000_000, 10_000_000])
        tree.feed([[0, 0, 1], [0, 0, 2]], stamps: [now.nanos + 3_600_000_000_000, 5])
        try Loop.run(tree.reactor)
        #expect(tree.batches.count == 2 && (tree.batches.last ?? []).allSatisfy { $0.instant >= now })
    }

    @Test("A FIFO of the chip needs no trigger, and its depth bounds the watermark") func hardware() throws {
        let tree = try IIOTree()
        tree.put("iio:device10/buffer/hwfifo_watermark_max", "16")
        tree.put("iio:device10/trigger/current_trigger", "somebody's")
        _ = try tree.open()
        #expect(tree.text("trigger/current_trigger") == "" && tree.text("buffer/watermark") == "16")
    }

    @Test("A timer's trigger has the rate") func timer() throws {
        let tree = try IIOTree(rates: false)
        tree.put("trigger0/name", "t1")
        tree.put("trigger0/sampling_frequency", "100.000")
        #expect(try tree.open().rateHz == 50)
        #expect(tree.text("trigger/current_trigger") == "t1")
    }

    @Test("Without a trigger the axes are read one by one, which is said") func polled() throws {
        let tree = try IIOTree(buffered: false)
        let facts = try tree.open()
        #expect(facts.rateHz == 10 && facts.polledBecause?.contains("no trigger") == true)
        try Loop.run(tree.reactor)
        #expect(tree.batches.count == 1 && abs((tree.batches.first?.first?.z ?? 0) - 1) < 1e-6)
        tree.put("iio:device10/in_accel_x_raw", "what")
        try Loop.run(tree.reactor)
        #expect(tree.failures.map(\.code) == [.io] && tree.batches.count == 1)
    }

    @Test("Before it is read one by one it samples as fast as it can: some drivers wait for a sample at each reading")
    func fastest() throws {
        let tree = try IIOTree(buffered: false)
        tree.put("iio:device10/sampling_frequency", "1")
        tree.put("iio:device10/sampling_frequency_available", "1 10 25 50 100 200 400")
        #expect(try tree.open().rateHz == 10)
        #expect(tree.text("sampling_frequency") == "400")
    }

    @Test("A reading that takes its time is made more rarely, which is said") func slow() throws {
        let tree = try IIOTree(buffered: false)
        tree.axisMillis = 10
        let facts = try tree.open()
        #expect(facts.rateHz == 1_000.0 / 150 && facts.polledBecause?.contains("takes 30 ms") == true)
        try Loop.run(tree.reactor)
        #expect(tree.batches.count == 1)
    }

    @Test("A reading that would hold everything up is refused with what to do, and tried again much later")
    func tooSlow() throws {
        let tree = try IIOTree(buffered: false)
        tree.axisMillis = 2_000
        func refusal() -> BusFailure? {
            do throws(BusFailure) {
                _ = try tree.open()
                return nil
            } catch { return error }
        }
        #expect(refusal()?.cause.contains("takes 2000 ms") == true)
        #expect(refusal()?.remedy.contains("trigger") == true)
        tree.axisMillis = 0
        #expect(refusal()?.cause.contains("takes 2000 ms") == true, "not read again")
        try Loop.idle(tree.reactor, millis: 150)
        #expect(tree.batches.isEmpty && tree.failures.isEmpty)
        tree.measured += 200_000
        #expect(refusal() == nil)
    }

    @Test("A device that vanishes is lost once, with what to do") func gone() throws {
        let tree = try IIOTree()
        _ = try tree.open()
        tree.feed([[0, 0, 1]])
        try Loop.run(tree.reactor)
        tree.hangUp()
        try Loop.run(tree.reactor)
        #expect(tree.failures.map(\.code) == [.noAnswer] && tree.failures.first?.remedy.contains("wiring") == true)
        try Loop.idle(tree.reactor, millis: 20)
        #expect(tree.failures.count == 1)
        // It is there again.
        #expect(try tree.open().rateHz == 50)
    }

    @Test(
        "Failures by what they mean",
        arguments: [
            (EACCES, BusFailure.Code.denied, "60-tracker.rules"), (EBUSY, .io, "iio-sensor-proxy"),
            (EINVAL, .io, "trigger"),
            (ENODEV, .noAnswer, "wiring"),
        ])
    func meaning(number: Int32, code: BusFailure.Code, remedy: String) {
        let failure = BusFailure.kernelDriver(
            "iio:device0", SystemFailure(call: "write", subject: "enable", number: number))
        #expect(failure.code == code && failure.remedy.contains(remedy))
    }

    @Test("A buffer that cannot be set up is a fault, and nothing stays open") func refused() throws {
        let tree = try IIOTree()
        tree.put("iio:device10/buffer/watermark/x", "")
        try FileManager.default.removeItem(atPath: tree.directory.file("iio:device10/buffer/watermark"))
        try FileManager.default.createDirectory(
            atPath: tree.directory.file("iio:device10/buffer/watermark"), withIntermediateDirectories: true)
        do throws(BusFailure) {
            _ = try tree.open()
            Issue.record("opened")
        } catch { #expect(error.code == .io) }
        #expect(tree.text("buffer/enable") == "0")
    }

    @Test("Where no driver has an accelerometer there is none") func absent() throws {
        let directory = TemporaryDirectory()
        let source = IIOAccelerometer(root: directory.path, reactor: try LinuxReactor())
        do throws(BusFailure) {
            _ = try source.open(rateHz: 50, batch: 25, onSamples: { _ in }, onLost: { _ in })
            Issue.record("opened")
        } catch { #expect(error.code == .absent && error.remedy.contains("accel.bus")) }
        #expect(IIOAccelerometer(reactor: try LinuxReactor()).isRealDevice)
    }
}
