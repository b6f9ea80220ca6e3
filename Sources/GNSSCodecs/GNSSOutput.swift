public import TrackerModel

/// What the decoder makes of what the receiver sends.
public enum GNSSOutput: Equatable, Sendable {
    /// The receiver has a position. It may still fail the boundary (spec capture §2.4 rows 4–10).
    case fix(TrackFix)
    /// The receiver says that it has none. The time is the one kept since the last dated fix, if any; `at` is the
    /// first byte of the epoch.
    case noFix(time: UTCTime?, at: Instant)
    /// All satellites of one cycle.
    case sky(SkyView)
    /// Antenna, jamming, spoofing; only what this message reports is set.
    case health(ReceiverHealth)
    case identity(ReceiverIdentity)
    /// An answer to a command.
    case reply(ReceiverReply)
    /// Text for people: TXT sentences, INF messages.
    case notice(String)
    /// Something about the stream that people should know; the part before `:` is a stable name
    /// (`gnss_time_stalled`, `gnss_week_rollover_corrected`).
    case diagnostic(String)
}

/// How a receiver answered a command.
public enum ReceiverReply: Equatable, Sendable {
    /// UBX-ACK-ACK or -NAK, with class and id of the message answered.
    case ubx(isAccepted: Bool, messageClass: UInt8, messageID: UInt8)
    /// `PMTK001` or `PAIR001`: the command's number and its result (PMTK: 3 done; PAIR: 0 done).
    case mtk(command: Int, isAccepted: Bool)
    /// `PQTM…`: the message's name and whether it says OK.
    case quectel(command: String, isAccepted: Bool)
    /// UBX-CFG-PRT: the speed of the receiver's UART, bit/s, and the protocols it sends (bit 0 UBX, bit 1 NMEA).
    case port(baud: Int, outputProtocols: Int)
}
