import Ports
import SyncEngine
import TrackerEngine

/// Every key of the configuration file. Nothing is read that is not in this table, and everything in it is read.
public enum ConfigTable {
    /// Keys below this path are request headers, named by the operator.
    static let headerPrefix = "upload.headers."

    public static var keys: [ConfigKey] {
        service + receiver + receiverPower + time + sensors + capture + judging + persistence + power + upload
            + uploadRules + tlsFiles + formats + lines
    }

    static func absolutePath(_ text: String) -> String? {
        text.hasPrefix("/") ? nil : "'\(text)' is no absolute path"
    }

    private static var service: [ConfigKey] {
        [
            .text(
                "service.stateDir", \.stateDir, valid: "absolute path",
                "database, last good configuration, last status",
                check: absolutePath),
            .text(
                "service.socket", \.socket, valid: "absolute path, at most 107 bytes", "control socket",
                check: { absolutePath($0) ?? ($0.utf8.count > 107 ? "the path is longer than 107 bytes" : nil) }),
            .integer(
                "service.healthLoopSec", \.healthLoopMillis, 10...3_600, scale: 1_000, unit: "s",
                "battery, backlog and status are looked at this often"),
            .flag(
                "service.resumeOnBoot", \.resumeOnBoot,
                "go on with the session that a crash, reboot or power cut left open; false: close it and wait for start"
            ),
            .integer(
                "service.deadTrackerMovingMin", \.capture.deadMovingMillis, 1...10_080, scale: 60_000, unit: "min",
                "without a fix for this long while moving the receiver is started again and trackerDead reported"),
            .integer(
                "service.deadTrackerStationaryMin", \.capture.deadStationaryMillis, 1...10_080, scale: 60_000,
                unit: "min", "the same otherwise"),
            .integer(
                "service.watchdogThrottleSec", \.capture.watchdogThrottleMillis, 60...86_400, scale: 1_000, unit: "s",
                "at most one such restart in this time"),
            .text(
                "device.id", \.deviceID, valid: "at most 64 bytes; empty: the host's name", "name of this device",
                check: { $0.utf8.count > 64 ? "longer than 64 bytes" : nil }),
            .text(
                "device.timezone", \.timeZone, valid: "IANA zone", "zone of local_date",
                check: { $0.isEmpty || $0.utf8.count > 64 ? "give an IANA zone such as Europe/Zurich" : nil }),
        ]
    }

    private static var receiver: [ConfigKey] {
        [
            .text(
                "gnss.device", \.gnssDevice, valid: "auto, absolute path or gpsd://host[:port]",
                "serial port of the receiver, or the gpsd that has it", check: receiverProblem),
            .text(
                "gnss.baud", \.gnssBaudText, valid: "auto or 1200…1000000 bit/s",
                "speed of that port; a number is never left for another, auto listens at all usual ones",
                check: {
                    $0 == "auto" || Int($0).map((1_200...1_000_000).contains) == true
                        ? nil : "'\($0)' is no speed; give auto or 1200…1000000"
                }),
            .integer("gnss.rateHz", \.gnssRateHz, 1...10, unit: "Hz", "fixes a second that the receiver is asked for"),
            .flag("gnss.configure", \.gnssConfigure, "ask the receiver what it is and set its messages and rate"),
            .decimal(
                "gnss.uereM", \.uereM, 1...20, unit: "m", "range error behind HDOP when there is no better accuracy"),
            .decimal(
                "gnss.hAccScale", \.hAccScale, 0.5...5, unit: "",
                "multiplies the accuracy that u-blox receivers report; see device-cli gnss calibrate"),
            .integer(
                "gnss.rawLogMB", \.rawLogBytes, 0...10_000, scale: 1_000_000, unit: "MB",
                "keep this much of the receiver's bytes in the state directory; 0 = none"),
            .integer(
                "gnss.outputLatencyMs", \.outputLatencyMillis, 0...500, unit: "ms",
                "from the solution to its first byte on the line"),
        ]
    }

    private static func receiverProblem(_ text: String) -> String? {
        if text.hasPrefix(GPSDAddress.scheme) {
            return GPSDAddress(text) == nil ? "'\(text)' is no gpsd://host[:port], with a port of 1…65535" : nil
        }
        return text == "auto" ? nil : absolutePath(text)
    }

    private static var time: [ConfigKey] {
        [
            .text(
                "time.chronySocket", \.chronySocket, valid: "absolute path, at most 107 bytes; empty: none",
                "socket of chronyd (refclock SOCK) that gets the receiver's time",
                check: { text in
                    if text.isEmpty { return nil }
                    return absolutePath(text) ?? (text.utf8.count > 107 ? "the path is longer than 107 bytes" : nil)
                })
        ]
    }

    private static var sensors: [ConfigKey] {
        [
            .text(
                "accel.bus", \.accelBus, valid: "none, auto, /dev/i2c-N, iio[:PATH] or unix:PATH",
                "where the accelerometer is: on a bus, or with a driver of the kernel (iio); auto: /dev/i2c-1, else iio",
                check: {
                    ["none", "auto", "iio"].contains($0) || $0.hasPrefix("/dev/i2c-") || $0.hasPrefix("unix:/")
                        || $0.hasPrefix("iio:/")
                        ? nil : "'\($0)' is none of: none, auto, /dev/i2c-N, iio, iio:/PATH, unix:/PATH"
                }),
            .text(
                "accel.address", \.accelAddressText, valid: "auto or 0x08…0x77",
                "its address; auto asks at all where a known chip can be",
                check: {
                    $0 == "auto" || TrackerConfig.address($0) != nil
                        ? nil : "'\($0)' is no address; give auto or 0x08…0x77"
                }),
            .integer("accel.rateHz", \.accelRateHz, 25...200, unit: "Hz", "sampling while moving"),
            .flag(
                "sensors.useStationaryFence", \.useStationaryFence,
                "a fix outside motion.stationaryRadiusM ends a stop, judged or not"),
        ]
    }

    private static var capture: [ConfigKey] {
        [
            .choice(
                "geolocation.capture", CaptureConfig.Rule.allCases.map(\.rawValue),
                "when a moving tracker judges a fix: when the interval has passed, or when the drawn line needs it",
                get: { $0.capture.rule.rawValue },
                set: { config, text in CaptureConfig.Rule(rawValue: text).map { config.capture.rule = $0 } }),
            .decimal(
                "geolocation.geometryToleranceM", \.capture.geometryToleranceM, 1...1_000, unit: "m",
                "of capture geometry: a corner is judged when the line without it would be off by more"),
            .integer(
                "geolocation.intervalMs", \.capture.intervalMillis, 1_000...3_600_000, unit: "ms",
                "between judged fixes"),
            .integer(
                "geolocation.vehicularIntervalMs", \.capture.vehicularIntervalMillis, 1_000...3_600_000, unit: "ms",
                "the same while moving"),
            .flag("geolocation.adaptiveCadence", \.capture.adaptiveCadence, "use the shorter interval while moving"),
            .flag("geolocation.turnBurst", \.capture.turnBurst, "sample turns more often"),
            .integer(
                "geolocation.turnBurstIntervalMs", \.capture.turnBurstIntervalMillis, 1_000...3_600_000, unit: "ms",
                "between judged fixes in a turn"),
            .flag(
                "geolocation.navigationMode", \.capture.navigationMode,
                "judge fixes as often as guidance wants them; costs energy"),
            .integer(
                "geolocation.navigationIntervalMs", \.capture.navigationIntervalMillis, 100...60_000, unit: "ms",
                "between judged fixes in navigation mode"),
            .integer(
                "geolocation.oneShotTimeoutMs", \.capture.oneShotTimeoutMillis, 1_000...300_000, unit: "ms",
                "how long device-cli fix waits for a usable fix"),
            .integer(
                "geolocation.deliveryStalenessMs", \.capture.deliveryStalenessMillis, 1_000...600_000, unit: "ms",
                "a fix older than this is refused"),
            .choice(
                "geolocation.mockLocationPolicy", CaptureConfig.MockPolicy.allCases.map(\.rawValue),
                "what to do with simulated or spoofed fixes", get: { $0.capture.mockPolicy.rawValue },
                set: { config, text in CaptureConfig.MockPolicy(rawValue: text).map { config.capture.mockPolicy = $0 } }
            ),
            .integer(
                "motion.stopTimeoutMin", \.capture.stopTimeoutMillis, 1...1_440, scale: 60_000, unit: "min",
                "a stop this long is stationary"),
            .decimal(
                "motion.stationaryRadiusM", \.capture.stationaryRadiusM, 1...10_000, unit: "m",
                "an accepted fix farther than this from the stop is movement"),
            .integer(
                "motion.motionTriggerDelaySec", \.capture.motionTriggerDelayMillis, 0...600, scale: 1_000, unit: "s",
                "movement must last this long to count"),
            .flag("motion.disableStopDetection", \.capture.disableStopDetection, "never stop by itself"),
            .flag("motion.stopOnStationary", \.capture.stopOnStationary, "end the session when it comes to rest"),
            .flag(
                "motion.activityRecognition", \.capture.usesActivity,
                "activity labels may wake the tracker and end a stop; false: they are not even stored"),
            .integer(
                "motion.activityConfidenceMin", \.capture.activityConfidenceMin, 0...100, unit: "%",
                "labels below it do nothing"),
            .integer(
                "motion.stillConfidenceMin", \.capture.stillConfidenceMin, 0...100, unit: "%",
                "the same for the label still; not below motion.activityConfidenceMin"),
            .flag(
                "sensors.useStepCorroboration", \.capture.usesSteps,
                "steps prove a walk, and their absence that there was none"),
            .flag(
                "sensors.useAccelerometerVeto", \.capture.usesAccelerometerVeto,
                "no movement while the accelerometer is still"),
        ]
    }

    private static var upload: [ConfigKey] {
        [
            .text(
                "upload.url", \.uploadURL,
                valid: "https or mqtts URL; http or mqtt to this host, or with allowCleartext; empty: none",
                "where points go", check: { _ in nil }),
            .choice(
                "upload.method", SyncConfig.methods, "request method", get: { $0.sync.method },
                set: { $0.sync.method = $1 }),
            .flag("upload.autoSync", \.sync.autoSync, "upload by itself"),
            .integer("upload.batchSize", \.sync.batchSize, 1...1_000, "points in one request"),
            .integer("upload.maxBodyBytes", \.sync.maxBodyBytes, 1_024...16_777_216, unit: "B", "size of one request"),
            .integer(
                "upload.autoSyncCoalesceSec", \.sync.coalesceMillis, 0...3_600, scale: 1_000, unit: "s",
                "at most one upload per this while points come in"),
            .integer(
                "upload.backoffInitialSec", \.sync.backoffInitialMillis, 1...3_600, scale: 1_000, unit: "s",
                "wait after the first failure; doubles"),
            .integer(
                "upload.backoffCeilingSec", \.sync.backoffCeilingMillis, 1...86_400, scale: 1_000, unit: "s",
                "longest wait"),
            .flag("upload.allowCleartext", \.allowCleartext, "allow http and mqtt to other hosts"),
            .integer("upload.connectTimeoutSec", \.sync.connectTimeoutSec, 1...300, unit: "s", "for the connection"),
            .integer("upload.totalTimeoutSec", \.sync.totalTimeoutSec, 1...3_600, unit: "s", "for one whole request"),
        ]
    }
}
