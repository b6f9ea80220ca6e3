import TrackerModel

/// Which messages an epoch has.
struct UBXParts: OptionSet {
    let rawValue: UInt16
    static let pvt = UBXParts(rawValue: 1 << 0)
    static let sol = UBXParts(rawValue: 1 << 1)
    static let position = UBXParts(rawValue: 1 << 2)
    static let precisePosition = UBXParts(rawValue: 1 << 3)
    static let velocity = UBXParts(rawValue: 1 << 4)
    static let timeUTC = UBXParts(rawValue: 1 << 5)
    static let timeGPS = UBXParts(rawValue: 1 << 6)
    static let status = UBXParts(rawValue: 1 << 7)
    static let dop = UBXParts(rawValue: 1 << 8)

    /// The receiver has said whether it has a fix, and where: less makes no epoch. A position alone says nothing, for
    /// a receiver without a fix repeats its last one.
    var isSolution: Bool {
        if !isDisjoint(with: [.pvt, .sol]) { return true }
        return contains(.status) && !isDisjoint(with: [.position, .precisePosition])
    }
}

/// The messages of one solution, gathered by their time of week.
struct UBXEpoch {
    let iTOW: UInt32
    let firstByteAt: Instant
    var lastByteAt: Instant
    private(set) var parts: UBXParts = []
    private(set) var pvt: UBXMessage.PVT?
    private(set) var sol: UBXMessage.SOL?
    private(set) var position: UBXMessage.POSLLH?
    private(set) var precisePosition: UBXMessage.HPPOSLLH?
    private(set) var velocity: UBXMessage.VELNED?
    private(set) var timeUTC: UBXMessage.TIMEUTC?
    private(set) var timeGPS: UBXMessage.TIMEGPS?
    private(set) var status: UBXMessage.STATUS?
    private(set) var dop: UBXMessage.DOP?

    init(iTOW: UInt32, firstByteAt: Instant, lastByteAt: Instant) {
        self.iTOW = iTOW
        self.firstByteAt = firstByteAt
        self.lastByteAt = lastByteAt
    }

    /// The first of each kind counts.
    mutating func add(_ message: UBXMessage) {
        guard let part = message.part, parts.insert(part).inserted else { return }
        switch message {
        case .pvt(let new): pvt = new
        case .sol(let new): sol = new
        case .position(let new): position = new
        case .precisePosition(let new): precisePosition = new
        case .velocity(let new): velocity = new
        case .timeUTC(let new): timeUTC = new
        case .timeGPS(let new): timeGPS = new
        case .status(let new): status = new
        case .dop(let new): dop = new
        case .endOfEpoch: break
        }
    }

    /// - Parameter leapSeconds: known from an earlier epoch, for NAV-SOL, which has GPS time only.
    func timeClaim(leapSeconds: Int8?) -> TimeClaim {
        if let pvt { return TimeClaim(pvt) }
        if let timeUTC { return TimeClaim(timeUTC) }
        if let timeGPS { return TimeClaim(timeGPS) }
        if let sol, let leapSeconds { return TimeClaim(sol.time(leapSeconds: leapSeconds)) }
        return TimeClaim(timeOfDay: nil, date: .absent, isVouched: false, isFullyResolved: false)
    }
}

extension UBXMessage.SOL {
    /// As NAV-TIMEGPS has it; week and time of week are vouched for by bits 2 and 3 of the flags.
    func time(leapSeconds: Int8) -> UBXMessage.TIMEGPS {
        UBXMessage.TIMEGPS(
            iTOW: iTOW, fTOW: fTOW, week: week, leapSeconds: leapSeconds, valid: flags >> 3 & 1 | flags >> 1 & 2 | 4)
    }
}

extension UBXMessage {
    var iTOW: UInt32 {
        switch self {
        case .pvt(let message): message.iTOW
        case .sol(let message): message.iTOW
        case .position(let message): message.iTOW
        case .precisePosition(let message): message.iTOW
        case .velocity(let message): message.iTOW
        case .timeUTC(let message): message.iTOW
        case .timeGPS(let message): message.iTOW
        case .status(let message): message.iTOW
        case .dop(let message): message.iTOW
        case .endOfEpoch(let iTOW): iTOW
        }
    }

    /// False when the receiver says with this message that it has no fix.
    var claimsFix: Bool {
        switch self {
        case .pvt(let message): message.flags & 1 != 0 && (1...4).contains(message.fixType)
        case .sol(let message): message.flags & 1 != 0 && (1...4).contains(message.gpsFix)
        default: true
        }
    }

    /// `nil` for the end of an epoch, which is no part of it.
    var part: UBXParts? {
        switch self {
        case .pvt: .pvt
        case .sol: .sol
        case .position: .position
        case .precisePosition: .precisePosition
        case .velocity: .velocity
        case .timeUTC: .timeUTC
        case .timeGPS: .timeGPS
        case .status: .status
        case .dop: .dop
        case .endOfEpoch: nil
        }
    }
}
