public import Ports
public import SyncEngine
public import TrackerEngine

/// The effective configuration, every key with its default (spec api §11 and the table in `ConfigTable`).
public struct TrackerConfig: Equatable, Sendable {
    public var stateDir = "/var/lib/tracker"
    public var socket = "/run/tracker/control.sock"
    public var healthLoopMillis: Int64 = 120_000
    /// Go on with a session that was left open.
    public var resumeOnBoot = true
    /// Empty: the host's name.
    public var deviceID = ""
    public var timeZone = "UTC"

    /// `auto`: every serial device that may be a receiver, most likely first; or a path, or `gpsd://host[:port]`.
    public var gnssDevice = "auto"
    /// Bits per second; `nil` is `auto`: found by listening.
    public var gnssBaud: Int?
    /// Fixes a second that the receiver is asked for.
    public var gnssRateHz = 1
    /// Ask the receiver what it is, and set its messages and rate.
    public var gnssConfigure = true
    public var uereM = 5.0
    public var outputLatencyMillis: Int64 = 0
    /// What the accuracy of UBX messages is multiplied with.
    public var hAccScale = 1.0
    /// How the receiver is switched off while it is not needed.
    public var powerControl = ReceiverPowerControl.none
    /// What it does while the device moves.
    public var whileMoving = ReceiverWhileMoving.auto
    /// What `device-cli fix` waits longer for a receiver that rests.
    public var warmupMillis: Int64 = 5_000
    /// Between two looks of a receiver that rests, in tier `normal`.
    public var backstopMillis: Int64 = 900_000
    /// Of the ring of raw receiver bytes, in the state directory; 0 = none.
    public var rawLogBytes: Int64 = 0

    /// Where chronyd takes the receiver's time; empty: nowhere.
    public var chronySocket = ""

    /// `none`, `auto`, `/dev/i2c-N`, `iio`, `iio:PATH` or `unix:PATH`.
    public var accelBus = "none"
    /// 7-bit; `nil` is `auto`: wherever a known chip answers.
    public var accelAddress: UInt8?
    public var accelRateHz = 50

    /// Lines of the board, `none` where nothing is wired.
    public var lightLine = "none"
    public var buttonLine = "none"
    public var ignitionLine = "none"
    public var receiverPowerLine = "none"
    public var receiverResetLine = "none"
    public var pulseLine = "none"
    public var wakeLine = "none"
    public var gaugeAlertLine = "none"
    public var modemKeyLine = "none"
    public var modemStatusLine = "none"
    /// How long the modem's power key is pressed.
    public var modemKeyMillis: Int64 = 1_500

    /// The lines that are.
    public var wiredLines: [String] {
        [
            lightLine, buttonLine, ignitionLine, receiverPowerLine, receiverResetLine, pulseLine, wakeLine,
            gaugeAlertLine, modemKeyLine, modemStatusLine,
        ].filter { $0 != "none" }
    }

    /// Leaving the circle around a stop is movement.
    public var useStationaryFence = true

    public var accuracyProfile = AccuracyProfile.balanced
    /// Of the profile `custom`, metres; 0 = not given.
    var customMaxAccuracyM = 0
    var customRecoveryTrustM = 0
    var bearingChangeDeg: Int {
        get { Int(capture.pipeline.bearingChangeDeg) }
        set { capture.pipeline.bearingChangeDeg = Double(newValue) }
    }
    var heartbeatSec: Int {
        get { Int(capture.pipeline.heartbeatSeconds) }
        set { capture.pipeline.heartbeatSeconds = Double(newValue) }
    }

    public var supplyPath = "/sys/class/power_supply"
    public var hwmonPath = "/sys/class/hwmon"
    /// `auto`: looked for where the kernel knows of no battery.
    public var gauge = GaugeChoice.auto
    /// `/dev/i2c-N` or `unix:PATH`.
    public var gaugeBus = "/dev/i2c-1"
    public var gaugeAddress = Int(MAX17048.address)
    /// Of a full battery; 0 = not known.
    public var batteryMilliwattHours = 0
    public var power = PowerConfig()
    public var energy = EnergyModel()
    public var capture = CaptureConfig()
    /// What is written for diagnosis beside the points.
    public var layers = DiagnosticLayers()
    /// How long points are kept.
    public var retention = PointRetention()
    public var sync = SyncConfig()
    /// What connections to servers and brokers are made with.
    public var tls = TLSFiles()
    /// The interface that uploads go by; empty: any.
    public var linkInterface = ""
    /// The modem's command port; empty: none.
    public var modemDevice = ""
    public var modemManager = ModemManagerUse.auto
    public var modemPower = ModemPowerControl.none
    public var modemOnCommand = ""
    public var modemOffCommand = ""
    /// Plain `http` to other hosts than this one.
    public var allowCleartext = false
    /// Where points go; empty is nowhere.
    public var uploadURL: String {
        get { sync.url ?? "" }
        set { sync.url = newValue.isEmpty ? nil : newValue }
    }

    /// The address as it stands in the file; text that is no number is `auto`.
    var accelAddressText: String {
        get { accelAddress.map { AccelerometerSearch.hex($0) } ?? "auto" }
        set { accelAddress = Self.address(newValue) }
    }

    /// A 7-bit address, decimal or with 0x.
    static func address(_ text: String) -> UInt8? {
        let number = text.hasPrefix("0x") ? UInt8(text.dropFirst(2), radix: 16) : UInt8(text)
        return number.flatMap { (0x08...0x77).contains($0) ? $0 : nil }
    }

    /// The speed as it stands in the file; text that is no number is `auto`.
    var gnssBaudText: String {
        get { gnssBaud.map(String.init) ?? "auto" }
        set { gnssBaud = Int(newValue) }
    }

    public init() {}
}

/// Which fuel gauge is read.
public enum GaugeChoice: String, Sendable, CaseIterable {
    case auto
    case none
    case max17048
}

/// The supported ways to move the pipeline's accuracy thresholds (spec capture §8.5).
public enum AccuracyProfile: String, Sendable, CaseIterable {
    case strict
    case balanced
    case relaxed
    case custom
}

extension TrackerConfig {
    /// Sets the two thresholds that the profile stands for.
    mutating func applyAccuracyProfile() {
        let thresholds: (ceiling: Double, trust: Double) =
            switch accuracyProfile {
            case .strict: (20, 15)
            case .balanced: (30, 25)
            case .relaxed: (60, 40)
            case .custom:
                (Double(customMaxAccuracyM), Double(customRecoveryTrustM == 0 ? 25 : customRecoveryTrustM))
            }
        capture.pipeline.maxAccuracyM = thresholds.ceiling
        capture.pipeline.recoveryTrustM = min(thresholds.trust, thresholds.ceiling)
    }
}

/// Who switches the modem's supply (spec power §5).
public enum ModemPowerControl: String, CaseIterable, Sendable {
    /// It is on, or the host sees to it.
    case none
    /// Two programs of the operator.
    case command
    /// Its power key, on a line of the board.
    case gpio
    /// ModemManager, or NetworkManager where it runs.
    case modemManager
}

/// Whether ModemManager is asked for a modem (spec power §5).
public enum ModemManagerUse: String, CaseIterable, Sendable {
    /// Where no command port is named.
    case auto
    case off
}

extension TrackerConfig {
    public var asksModemManager: Bool { modemDevice.isEmpty && modemManager == .auto }
}
