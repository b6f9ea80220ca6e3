import Ports
import TrackerModel
import WireText

/// The device's own sensors (spec api §9).
extension ControlProtocol {
    /// With `selfTest` the reply comes when the test is over.
    func sensors(_ arguments: JSONObject, _ id: JSONValue?, _ subscriber: any ControlSubscriber) -> JSONValue? {
        if let given = arguments["selfTest"], given.boolValue == nil {
            return Self.refusal(id, .invalidRequest, "selfTest must be true or false")
        }
        guard arguments["selfTest"]?.boolValue == true else { return Self.result(id, .object(runtime.sensors())) }
        return later(subscriber) { take in
            runtime.testSensors { outcome in
                switch outcome {
                case .success(let sensors): take(Self.result(id, .object(sensors)))
                case .failure(let failure):
                    take(Self.refusal(id, .sensorFault, failure.message))
                }
            }
        }
    }
}
