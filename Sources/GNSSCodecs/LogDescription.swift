public import WireText

/// The `#` lines ahead of a recorded log.
public struct LogDescription {
    /// Of the line `# Date: yyyy-m-d`, if that is a date; logs in circulation also have `# Date : …` and `yyyy-m d`.
    public private(set) var date: CivilTime?
    /// A line that is not of the description has been seen.
    public private(set) var isOver = false
    private var line: [UInt8] = []
    private static let longestLine = 256

    public init() {}

    /// Takes the next block of the log.
    /// - Returns: how many bytes of it are description.
    public mutating func consume(_ block: UnsafeBufferPointer<UInt8>) -> Int {
        for (index, byte) in block.enumerated() {
            if isOver { return index }
            if line.isEmpty, byte != UInt8(ascii: "#") {
                isOver = true
                return index
            }
            if byte == UInt8(ascii: "\n") {
                readLine()
                line.removeAll(keepingCapacity: true)
            } else if line.count < Self.longestLine {
                line.append(byte)
            }
        }
        return block.count
    }

    private mutating func readLine() {
        let mark = Array("# Date".utf8)
        let space = UInt8(ascii: " ")
        guard date == nil, line.starts(with: mark) else { return }
        let value = line[mark.count...].drop { $0 == space }
        guard value.first == UInt8(ascii: ":") else { return }
        var numbers: [Int] = [0]
        for byte in value.dropFirst() {
            switch byte {
            case space where numbers.last == 0: break
            case space where numbers.count < 3, UInt8(ascii: "-"): numbers.append(0)
            case UInt8(ascii: "0")...UInt8(ascii: "9") where numbers[numbers.count - 1] < 10_000:
                numbers[numbers.count - 1] = numbers[numbers.count - 1] * 10 + Int(byte - UInt8(ascii: "0"))
            default:
                // What follows the day, a time or a carriage return, is not of interest.
                if numbers.count == 3 { return finish(numbers) }
                return
            }
        }
        finish(numbers)
    }

    private mutating func finish(_ numbers: [Int]) {
        guard numbers.count == 3 else { return }
        let civil = CivilTime(year: numbers[0], month: numbers[1], day: numbers[2])
        if civil.isRealDate { date = civil }
    }
}
