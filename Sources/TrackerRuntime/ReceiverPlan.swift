import TrackerModel

/// The requests that set a receiver up, in the order they are sent.
struct ReceiverPlan: Equatable {
    /// u-blox 7, protocol version 14, is the first with NAV-PVT (u-blox 7 protocol specification).
    private static let firstWithPVT = 1_400
    /// The speed asked for when the messages do not fit; every receiver with a UART has it.
    static let fastBaud = 115_200
    /// Satellites in view, spoofing and the antenna are looked at once in so many seconds.
    private static let slowSeconds = 5
    /// Bytes of an epoch: NAV-PVT with its share of the slow messages, and RMC, GGA, 2 × GSA, GST with a share of GSV.
    private static let (ubxBytes, nmeaBytes) = (160, 420)

    private(set) var requests: [ReceiverRequest]
    /// The message that shows, by coming, that the receiver still is as it was set up.
    let marker: ReceiverMark

    /// - Parameters:
    ///   - rateHz: epochs a second, 1…10; fewer are asked for when they do not fit the line.
    ///   - baud: the line's speed, bit/s.
    ///   - mayChangeSpeed: the line may be set to another speed.
    init(_ identity: ReceiverIdentity, _ dialect: ReceiverDialect, rateHz: Int, baud: Int, mayChangeSpeed: Bool) {
        let hasPVT = identity.family == .ublox && identity.protocolVersion ?? 0 >= Self.firstWithPVT
        marker = hasPVT ? .ubx : .gst
        let capacity = { (baud: Int) in max(1, baud / 10 * 8 / 10 / (hasPVT ? Self.ubxBytes : Self.nmeaBytes)) }
        var hz = rateHz
        requests = []
        if hz > capacity(baud) {
            if mayChangeSpeed, baud < Self.fastBaud {
                requests.append(.port(baud: Self.fastBaud))
                hz = min(hz, capacity(Self.fastBaud))
            } else {
                hz = capacity(baud)
            }
        }
        let slow = Self.slowSeconds * hz
        switch (dialect, hasPVT) {
        case (.pmtk, _): requests.append(.sentences)
        case (_, true):
            // Sentences beside NAV-PVT only cost time on the line: UBX wins (spec capture §2.2). GSV shows the sky.
            requests += [.message(.navPVT, every: 1), .message(.gll, every: 0), .message(.vtg, every: 0)]
            if hz > 1 {
                let unused: [ReceiverMessage] = [.gga, .rmc, .gsa]
                requests += unused.map { .message($0, every: 0) }
            }
            let rare: [ReceiverMessage] = [.gsv, .navStatus, .monitor]
            requests += rare.map { .message($0, every: slow) }
        case (_, false):
            let wanted: [ReceiverMessage] = [.rmc, .gga, .gsa, .gst]
            requests += wanted.map { .message($0, every: 1) }
            requests += [.message(.gsv, every: slow), .message(.gll, every: 0), .message(.vtg, every: 0)]
        }
        // Last: until the messages are few, a higher rate floods the line.
        requests.append(.rate(hz: hz))
        self.rateHz = hz
    }

    /// The rate that is asked for, Hz.
    let rateHz: Int
}

/// What kind of frame was heard, as far as it tells how the receiver is set up.
enum ReceiverMark: Equatable {
    case ubx
    case gst
    case other
}
