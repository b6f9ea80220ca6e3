import TrackerModel

/// One channel of a scan as `scan_elements/NAME_type` and `NAME_index` describe it (Linux
/// Documentation/ABI/testing/sysfs-bus-iio): `[be|le]:[s|u]bits/storagebits[Xrepeat][>>shift]`.
///
///     le:s12/16>>4    12 bits, left-justified in a little-endian word of 16
struct IIOElement: Equatable {
    var index: Int
    var isBigEndian = false
    var isSigned = true
    var bits: Int
    /// Whole bytes, a power of two, 1…8.
    var storageBytes: Int
    var shift = 0
    /// Values in the element; the first is read.
    var count = 1

    /// `nil` for what is no such description, or one that no word holds.
    init?(type: String, index: String) {
        let parts = type.split(separator: ":").map(String.init)
        guard parts.count == 2, parts[0] == "le" || parts[0] == "be", let sign = parts[1].first,
            sign == "s" || sign == "u",
            let place = Int(index), place >= 0
        else { return nil }
        // 12/16X2>>4: the numbers, and what stands before each.
        let numbers = parts[1].dropFirst().split { "/X>".contains($0) }.compactMap { Int($0) }
        let marks = parts[1].filter { "/X>".contains($0) }
        let forms = ["/": 2, "/X": 3, "/>>": 3, "/X>>": 4]
        guard numbers.count == forms[marks], [8, 16, 32, 64].contains(numbers[1]) else { return nil }
        if marks.contains("X") { count = numbers[2] }
        if marks.contains(">") { shift = numbers[numbers.count - 1] }
        let (bits, storage) = (numbers[0], numbers[1])
        guard bits >= 1, shift >= 0, bits + shift <= storage, (1...16).contains(count) else { return nil }
        (isBigEndian, isSigned, self.bits, storageBytes, self.index) =
            (parts[0] == "be", sign == "s", bits, storage / 8, place)
    }

    var byteCount: Int { storageBytes * count }

    /// The value that begins at a byte.
    func value(_ bytes: [UInt8], at start: Int) -> Int64 {
        var word: UInt64 = 0
        for offset in 0..<storageBytes {
            word = word << 8 | UInt64(bytes[start + (isBigEndian ? offset : storageBytes - 1 - offset)])
        }
        let left = 64 - bits
        let top = (word >> UInt64(shift)) << UInt64(left)
        return isSigned ? Int64(bitPattern: top) >> Int64(left) : Int64(clamping: top >> UInt64(left))
    }
}

/// Where the values of a scan are: elements by index, each at a multiple of its size, the whole a multiple of the largest
/// (`iio_compute_scan_bytes` of the kernel).
struct IIOScan: Equatable {
    private(set) var byteCount = 0
    private var axes: [Slot] = []
    private var timestamp: Slot?

    private struct Slot: Equatable {
        var element: IIOElement
        var offset: Int
    }

    /// - Parameter elements: what is enabled, by name (`in_accel_x`, `in_timestamp`).
    /// - Returns: `nil` when an axis is missing.
    init?(_ elements: [String: IIOElement]) {
        var slots: [String: Slot] = [:]
        var largest = 1
        for (name, element) in elements.sorted(by: { $0.value.index < $1.value.index }) {
            let size = element.byteCount
            let start = (byteCount + size - 1) / size * size
            slots[name] = Slot(element: element, offset: start)
            byteCount = start + size
            largest = max(largest, size)
        }
        byteCount = (byteCount + largest - 1) / largest * largest
        axes = IIOScan.axisNames.compactMap { slots[$0] }
        timestamp = slots[IIOScan.timestampName]
        guard axes.count == 3 else { return nil }
    }

    static let axisNames = ["in_accel_x", "in_accel_y", "in_accel_z"]
    static let timestampName = "in_timestamp"

    /// Raw axes of the scan that begins at a byte, and its time stamp where there is one.
    func read(_ bytes: [UInt8], at start: Int) -> (raw: [Int64], nanos: Int64?) {
        (
            axes.map { $0.element.value(bytes, at: start + $0.offset) },
            timestamp.map { $0.element.value(bytes, at: start + $0.offset) }
        )
    }
}

/// From raw values to g.
struct IIOConversion: Equatable {
    /// m/s² of a count, and counts to add before, by axis.
    var scales: [Double]
    var offsets: [Double] = [0, 0, 0]
    /// Row by row.
    var mounting = identity

    static let identity: [Double] = [1, 0, 0, 0, 1, 0, 0, 0, 1]
    private static let standardGravity = 9.80665

    func sample(_ raw: [Int64], at instant: Instant) -> MotionSample {
        let g = (0..<3).map { (Double(raw[$0]) + offsets[$0]) * scales[$0] / Self.standardGravity }
        let turned = (0..<3).map { row in (0..<3).reduce(0) { $0 + mounting[row * 3 + $1] * g[$1] } }
        return MotionSample(instant: instant, x: turned[0], y: turned[1], z: turned[2])
    }

    /// `0, 1, 0; -1, 0, 0; 0, 0, 1`; `nil` for what does not keep lengths, which would make another acceleration of it.
    static func mounting(_ text: String) -> [Double]? {
        let numbers = text.split { ",; ".contains($0) }.map { Double($0) }
        let matrix = numbers.compactMap { $0 }
        guard numbers.count == 9, matrix.count == 9 else { return nil }
        for row in 0..<3 {
            for other in 0..<3 {
                let product = (0..<3).reduce(0) { $0 + matrix[row * 3 + $1] * matrix[other * 3 + $1] }
                guard abs(product - (row == other ? 1 : 0)) < 0.01 else { return nil }
            }
        }
        return matrix
    }
}

/// What a driver offers as `sampling_frequency_available`: `12.5 25 50`, or from, step, to: `[1 1 100]`.
enum IIORates {
    /// The slowest that is not below the wish, else the fastest; as it is to be written. `nil`: nothing is offered.
    static func choice(_ text: String, atLeast wish: Double) -> String? {
        let isRange = text.hasPrefix("[")
        let words = text.split { "[] ".contains($0) }.map(String.init)
        let rates = words.compactMap { word in Double(word).flatMap { $0 > 0 ? (word: word, hertz: $0) : nil } }
        if isRange {
            guard rates.count == 3 else { return nil }
            return wish <= rates[0].hertz
                ? rates[0].word : wish >= rates[2].hertz ? rates[2].word : "\(Int(wish.rounded(.up)))"
        }
        return (rates.filter { $0.hertz >= wish }.min { $0.hertz < $1.hertz } ?? rates.max { $0.hertz < $1.hertz })?
            .word
    }
}
