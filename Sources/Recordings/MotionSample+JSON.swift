public import TrackerModel
public import WireText

/// Lines of a motion recording: `{"u":12.340000000,"x":0.003906,"y":-0.011719,"z":1.003906}`, in g.
extension MotionSample {
    /// What no accelerometer of a vehicle measures, g.
    private static let mostG = 1_000.0

    init(_ line: RecordedObject) throws(RecordingFailure) {
        guard let nanos = try line.monotonicNanos() else {
            throw line.failure("u (seconds of the boot clock) is missing")
        }
        let range = -Self.mostG...Self.mostG
        guard let x = try line.number("x", in: range), let y = try line.number("y", in: range),
            let z = try line.number("z", in: range)
        else { throw line.failure("x, y and z (in g) are not all there") }
        self.init(instant: Instant(nanos: nanos), x: x, y: y, z: z)
    }

    /// Keys in alphabetical order.
    public var json: JSONValue {
        var object: JSONObject = ["u": .fixed(instant.nanos, places: 9)]
        object["x"] = .decimal(x, places: 6)
        object["y"] = .decimal(y, places: 6)
        object["z"] = .decimal(z, places: 6)
        return .object(object)
    }
}
