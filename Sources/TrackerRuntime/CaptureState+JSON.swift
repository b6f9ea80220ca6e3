import TrackerEngine
import TrackerModel
import WireText

/// The engine state as the store keeps it. `boot` tells whether its instants still mean something.
struct SavedCapture: Equatable {
    var sessionID: String
    var bootID: String
    var state: CaptureState

    var text: String {
        var object: JSONObject = [
            "session": .string(sessionID), "boot": .string(bootID), "odometerMM": .int(state.odometerMM),
            "motion": .string(state.motion.rawValue), "motionSinceNanos": .int(state.motionSince.nanos),
        ]
        object["stopLatE7"] = state.stopLatitudeE7.map { .int(Int64($0)) }
        object["stopLonE7"] = state.stopLongitudeE7.map { .int(Int64($0)) }
        object["receivedNanos"] = state.lastReceivedAt.map { .int($0.nanos) }
        object["receivedMs"] = state.lastReceivedTime.map { .int($0.millis) }
        object["anchor"] = state.anchor.map { anchor in
            .object([
                "timeMs": .int(anchor.time.millis), "nanos": .int(anchor.instant.nanos),
                "latE7": .int(Int64(anchor.latitudeE7)), "lonE7": .int(Int64(anchor.longitudeE7)),
                "accuracyMM": .int(anchor.accuracyMM), "speedMMps": .int(anchor.speedMMps),
                "movement": .string(anchor.movement.rawValue),
            ])
        }
        return JSONValue.object(object).text
    }

    init(sessionID: String, bootID: String, state: CaptureState) {
        self.sessionID = sessionID
        self.bootID = bootID
        self.state = state
    }

    /// `nil` when the text is not of this form: then capture starts afresh in the same session.
    init?(text: String) {
        guard let json = try? JSONReader.parse(text), let sessionID = json["session"]?.stringValue,
            let bootID = json["boot"]?.stringValue, let odometer = json["odometerMM"]?.intValue,
            let motion = json["motion"]?.stringValue.flatMap(MotionState.init(rawValue:)),
            let since = json["motionSinceNanos"]?.intValue
        else { return nil }
        var state = CaptureState(odometerMM: odometer, motion: motion, motionSince: Instant(nanos: since))
        state.stopLatitudeE7 = json["stopLatE7"]?.intValue.flatMap(Int32.init(exactly:))
        state.stopLongitudeE7 = json["stopLonE7"]?.intValue.flatMap(Int32.init(exactly:))
        state.lastReceivedAt = json["receivedNanos"]?.intValue.map { Instant(nanos: $0) }
        state.lastReceivedTime = json["receivedMs"]?.intValue.map { UTCTime(millis: $0) }
        state.anchor = json["anchor"].flatMap(Self.anchor)
        self.init(sessionID: sessionID, bootID: bootID, state: state)
    }

    private static func anchor(_ json: JSONValue) -> CaptureState.Anchor? {
        guard let time = json["timeMs"]?.intValue, let nanos = json["nanos"]?.intValue,
            let latitude = json["latE7"]?.intValue.flatMap(Int32.init(exactly:)),
            let longitude = json["lonE7"]?.intValue.flatMap(Int32.init(exactly:)),
            let accuracy = json["accuracyMM"]?.intValue, let speed = json["speedMMps"]?.intValue,
            let movement = json["movement"]?.stringValue.flatMap(MovementStatus.init(rawValue:))
        else { return nil }
        return CaptureState.Anchor(
            time: UTCTime(millis: time), instant: Instant(nanos: nanos), latitudeE7: latitude, longitudeE7: longitude,
            accuracyMM: accuracy, speedMMps: speed, movement: movement)
    }
}
