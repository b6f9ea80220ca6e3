import TrackerEngine
import TrackerModel

/// A point of a track, as a server has it.
struct TrackedPoint {
    /// Seconds from the start of the life.
    var second: Double
    var position: Coordinate
    var accuracyM: Double
}

/// What a rule made of a life: its track, and what it cost.
struct Outcome {
    var points: [TrackedPoint] = []
    var energy = EnergyUse()
    var receiverOnSeconds: Int64 = 0
    var server = ModelServer()

    /// Without what is drawn whatever the rule does: the idle board and the attached modem.
    static var model: EnergyModel {
        var model = EnergyModel()
        model.hostBaseMicrowatts = 0
        model.modemIdleMicrowatts = 0
        return model
    }
}
