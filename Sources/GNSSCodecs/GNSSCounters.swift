/// What came in since the decoder was made; every byte and every refusal is somewhere in here.
public struct GNSSCounters: Equatable, Sendable {
    public var bytes: Int64 = 0
    /// With a right checksum, malformed ones included.
    public var sentences: Int64 = 0
    public var rmc: Int64 = 0
    public var gga: Int64 = 0
    public var gsa: Int64 = 0
    public var gst: Int64 = 0
    public var vtg: Int64 = 0
    public var zda: Int64 = 0
    public var gsv: Int64 = 0
    public var other: Int64 = 0
    /// Checksum wrong, unreadable or missing.
    public var checksumErrors: Int64 = 0
    /// More than 120 characters.
    public var overlong: Int64 = 0
    /// Sentences and frames with a right checksum and impossible content: dropped whole.
    public var malformed: Int64 = 0
    /// UBX frames with a right checksum, malformed and unused ones included.
    public var ubxFrames: Int64 = 0
    /// What looked like a UBX frame and has another checksum; the search goes on inside it.
    public var ubxChecksumErrors: Int64 = 0
    /// The same with a length of more than 1 024 bytes.
    public var ubxOverlong: Int64 = 0
    /// RTCM 3 frames, skipped.
    public var rtcmFrames: Int64 = 0
    /// Sentences given up because another began, or a byte came that no sentence contains.
    public var resyncs: Int64 = 0
    /// Bytes outside any sentence or frame, line ends not counted.
    public var garbageBytes: Int64 = 0
    /// Epochs dropped because their time of day was that of the epoch before.
    public var duplicateEpochs: Int64 = 0
    public var epochsWithFix: Int64 = 0
    public var noFixEpochs: Int64 = 0
    public var gns: Int64 = 0
    public var gll: Int64 = 0
    public var gbs: Int64 = 0
    public var txt: Int64 = 0
    /// Epochs that a receiver sent in both protocols, counted once above: those of NMEA beside UBX (E-009).
    public var supersededEpochs: Int64 = 0

    public init() {}

    /// Everything that had a right checksum: while this grows, speed and wiring are right.
    public var frames: Int64 { sentences + ubxFrames + rtcmFrames }

    mutating func count(_ kind: NMEASentence.Kind) {
        sentences += 1
        switch kind {
        case .rmc: rmc += 1
        case .gga: gga += 1
        case .gsa: gsa += 1
        case .gst: gst += 1
        case .vtg: vtg += 1
        case .zda: zda += 1
        case .gsv: gsv += 1
        case .gns: gns += 1
        case .gll: gll += 1
        case .gbs: gbs += 1
        case .txt: txt += 1
        case .pubx, .answer, .other: other += 1
        }
    }
}
