import TrackerModel

extension DecisionEvidence {
    /// The numbers of an answer in stored form.
    init(_ answer: PipelineAnswer, filter: MotionFilter?) {
        self.init()
        elapsedMillis = answer.elapsed.flatMap(Self.thousandths)
        silenceMillis = answer.silence.flatMap(Self.thousandths)
        filterLatitudeE7 = filter?.position.latitudeE7
        filterLongitudeE7 = filter?.position.longitudeE7
        sigmaMM = answer.gate.flatMap { Self.thousandths($0.sigmaM) }
        offsetMM = answer.gate.flatMap { Self.thousandths($0.offsetM) }
        thresholdMM = answer.gate.flatMap { Self.thousandths($0.thresholdM) }
        netMM = answer.netM.flatMap(Self.thousandths)
        flags = answer.flags
    }

    /// `nil` for what no integer holds.
    private static func thousandths(_ value: Double) -> Int64? {
        let scaled = (value * 1_000).rounded()
        return abs(scaled) < 9e15 ? Int64(scaled) : nil
    }
}
