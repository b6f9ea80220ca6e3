import Ports
import TrackerModel
import WireText

/// The lines that the configuration names: taken when the daemon starts, and the ones that were refused again from time to
/// time, as a chip on USB may come later.
final class BoardLines {
    private struct Wish {
        var key: String
        var line: String
        var take: () throws(LineFailure) -> Void
        var isTaken = false
        var failure: LineFailure?
    }

    /// For `status`.
    struct Report {
        /// In a word or two.
        var state: String
        var failure: LineFailure?
    }

    private var wishes: [Wish] = []
    private let onRefusal: (_ key: String, LineFailure) -> Void
    /// What taken lines say of themselves, by key.
    private var reports: [String: () -> Report] = [:]

    var light: BlinkingLight?
    var button: PushButton?
    var ignition: IgnitionInput?
    var pulse: (any DigitalInput)?
    var gaugeAlert: (any DigitalInput)?
    let supply: ReceiverSupply

    /// - Parameter onRefusal: called when a line is refused, once for each reason.
    init(supply: ReceiverSupply, onRefusal: @escaping (_ key: String, LineFailure) -> Void) {
        self.supply = supply
        self.onRefusal = onRefusal
    }

    func want(_ key: String, _ line: String, _ take: @escaping () throws(LineFailure) -> Void) {
        if line != "none" { wishes.append(Wish(key: key, line: line, take: take)) }
    }

    /// - Parameter report: asked by `status`.
    func watch(_ key: String, _ report: @escaping () -> Report) { reports[key] = report }

    /// Tries what is not taken yet.
    func take() {
        for index in wishes.indices where !wishes[index].isTaken {
            do throws(LineFailure) {
                try wishes[index].take()
                wishes[index].isTaken = true
                wishes[index].failure = nil
            } catch {
                let isNews = wishes[index].failure != error
                wishes[index].failure = error
                if isNews { onRefusal(wishes[index].key, error) }
            }
        }
    }

    func close() {
        light?.close()
        button?.close()
        ignition?.close()
        pulse?.close()
        gaugeAlert?.close()
        supply.close()
    }

    var isEmpty: Bool { wishes.isEmpty }

    /// One object a line: `key`, `line`, `problem` when it does not work, and what is on it.
    var status: JSONValue {
        .array(
            wishes.map { wish in
                var row: JSONObject = ["key": .string(wish.key), "line": .string(wish.line)]
                let report = reports[wish.key]?() ?? Report(state: "ready")
                let failure = wish.failure ?? report.failure
                row["state"] = .string(failure == nil ? report.state : "refused")
                row["problem"] = failure.map { .string($0.message) }
                return .object(row)
            })
    }

    enum Keys {
        static let light = "device.ledLine"
        static let button = "device.buttonLine"
        static let ignition = "device.ignitionLine"
        static let power = "gnss.powerLine"
        static let reset = "gnss.resetLine"
        static let wake = "accel.intLine"
        static let pulse = "gnss.pps"
        static let gaugeAlert = "battery.alertLine"
    }
}
