import Ports
import SyncEngine
import TrackerModel
import WireText

/// The steps of a dry exchange, each with what was found: from the route to the server's answer.
struct ExchangeSteps {
    private enum Verdict: String {
        case ok
        case failed
        /// A step before it failed.
        case skipped
    }

    private var steps: [(name: String, verdict: Verdict, text: String)] = []

    private mutating func add(_ name: String, _ verdict: Verdict, _ text: String) {
        steps.append((name, verdict, text))
    }

    /// - Parameter link: `nil` where nobody watches it.
    mutating func route(_ config: SyncConfig, _ link: LinkState?) {
        if config.isLoopback { return add("route", .ok, "the server is this host") }
        guard let link else { return add("route", .ok, "not watched here") }
        guard let path = link.path else {
            return add("route", .failed, "\(Uploader.linkProblem(link)); bring the network up")
        }
        let quality = path.quality.map { ", quality \($0) of 100" } ?? ""
        add("route", .ok, "default route by \(path.interface)" + (path.isMetered ? ", metered" : "") + quality)
    }

    mutating func clock(_ config: SyncConfig, _ trust: WallTrust) {
        guard config.isSecure else { return }
        switch trust {
        case .unknown: add("clock", .failed, "the host's clock is not set; certificates will be refused")
        case .estimated: add("clock", .ok, "set, but held by no time source")
        case .disciplined: add("clock", .ok, "held by a time source")
        }
    }

    /// How many headers there are, never what they say.
    mutating func credential(_ headers: Int) {
        add("credential", .ok, headers == 0 ? "none is configured" : "\(headers) header\(headers == 1 ? "" : "s")")
    }

    /// What this exchange cannot show of the format.
    mutating func format(_ name: FormatName, deviceID: String) {
        switch name {
        case .native: break
        case .flespi:
            add(
                "format", .ok,
                "\(name.rawValue): a server answers 200 also for a device it does not know; look there for \(deviceID)")
        case .osmand, .osmandJSON, .owntracks:
            add("format", .ok, "\(name.rawValue): whether \(deviceID) is known there shows with its first point")
        }
    }

    /// A broker's uplink does not tell how the connection came about: one step stands for all of it.
    mutating func broker(_ result: UplinkResult) {
        switch result {
        case .failed(let failure):
            add("MQTT", .failed, failure.cause)
            add("answer", .skipped, "")
        case .answered(200..<300, _, _, _):
            add("MQTT", .ok, "connected")
            add("answer", .ok, "the broker lets us in; what an account may publish it does not tell")
        case .answered(let status, _, _, _):
            add("MQTT", .ok, "connected")
            add("answer", .failed, Self.meaning(status))
        }
    }

    mutating func exchange(_ report: UplinkReport, isSecure: Bool) {
        let connection = report.connection ?? UplinkConnection()
        let names = ["name", "connect"] + (isSecure ? ["TLS"] : []) + ["HTTP", "answer"]
        var failed: String?
        var cause = ""
        if case .failed(let failure) = report.result {
            cause = failure.cause
            failed = Self.step(of: failure.code, connection, isSecure: isSecure)
        }
        var isPast = false
        for name in names {
            if isPast {
                add(name, .skipped, "")
            } else if name == failed {
                add(name, .failed, cause)
                isPast = true
            } else if name == "answer", case .answered(let status, _, _, _) = report.result {
                let isGood = (200..<300).contains(status) || status == 400 || status == 422
                add(name, isGood ? .ok : .failed, Self.meaning(status))
            } else {
                add(name, .ok, Self.text(name, connection, report))
            }
        }
    }

    var json: JSONValue {
        let items = steps.map { step -> JSONValue in
            ["step": .string(step.name), "verdict": .string(step.verdict.rawValue), "text": .string(step.text)]
        }
        return ["ok": .bool(!steps.contains { $0.verdict == .failed }), "steps": .array(items)]
    }

    /// A time-out belongs to the first step that was not finished.
    private static func step(of code: UplinkFailure.Code, _ connection: UplinkConnection, isSecure: Bool) -> String {
        switch code {
        case .name: return "name"
        case .connect: return "connect"
        case .tls: return "TLS"
        case .badRequest, .cut: return "HTTP"
        case .timeout:
            if connection.nameMillis == nil { return "name" }
            if connection.connectMillis == nil { return "connect" }
            return isSecure && connection.tlsMillis == nil ? "TLS" : "HTTP"
        }
    }

    private static func text(_ step: String, _ connection: UplinkConnection, _ report: UplinkReport) -> String {
        func after(_ millis: Int64?) -> String { millis.map { "after \($0) ms" } ?? "at once" }
        switch step {
        case "name": return "resolved \(after(connection.nameMillis))"
        case "connect": return "\(connection.remote ?? "connected") \(after(connection.connectMillis))"
        case "TLS": return ([after(connection.tlsMillis)] + connection.tlsFacts).joined(separator: "; ")
        default:
            return "answer \(after(connection.answerMillis)), \(report.bytesUp) B up, \(report.bytesDown) B down"
        }
    }

    private static func meaning(_ status: Int) -> String {
        switch status {
        case 200..<300: "\(status): points would be taken"
        case 400, 422: "\(status): it refuses a batch without points; address and credential seem right"
        default: "\(status)\(Uploader.advice(status))"
        }
    }
}
