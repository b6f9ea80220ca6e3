import TrackerModel

/// Checks of what the text formats have in common; each says which value is wrong.
enum FileNumbers {
    /// - Parameter line: only asked for when it is needed, as some readers have to count it.
    static func coordinate(
        _ latitude: Double, _ longitude: Double, line: @autoclosure () -> Int
    ) throws(JudgeFailure) -> Coordinate {
        let position = Coordinate(latitude: latitude, longitude: longitude)
        guard position.isValid else {
            throw JudgeFailure(
                line: line(), cause: "\(latitude), \(longitude) is no position",
                remedy: "latitude is -90 to 90, longitude -180 to 180, and 0, 0 stands for none: correct or remove it")
        }
        return position
    }

    /// A decimal number as it stands in a text; not `nan`, `inf` or hexadecimal, which `Double` also reads.
    static func decimal(_ text: String) -> Double? {
        let allowed = text.utf8.allSatisfy { (0x30...0x39).contains($0) || "+-.eE".utf8.contains($0) }
        guard allowed, text.utf8.count <= 64, let number = Double(text), number.isFinite else { return nil }
        return number
    }

    /// Zero and below stand for unknown.
    static func accuracyM(_ number: Double?) -> Double? { number.flatMap { $0 > 0 ? $0 : nil } }
}
