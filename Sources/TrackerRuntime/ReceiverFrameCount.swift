import GNSSCodecs

/// What a receiver speaks.
enum ReceiverProtocol: String {
    case nmea
    case ubx
}

/// Valid frames so far, by what they tell of the receiver.
struct ReceiverFrameCount {
    private var nmea: Int64 = 0
    private var ubx: Int64 = 0
    private var gst: Int64 = 0

    init() {}

    init(_ counters: GNSSCounters) {
        nmea = counters.sentences
        ubx = counters.ubxFrames
        gst = counters.gst
    }

    var total: Int64 { nmea + ubx }

    func mark(since earlier: Self) -> ReceiverMark {
        if ubx > earlier.ubx { return .ubx }
        return gst > earlier.gst ? .gst : .other
    }

    func latestProtocol(since earlier: Self) -> ReceiverProtocol { ubx > earlier.ubx ? .ubx : .nmea }
}
