import DeviceSimulator
import TrackerGeo
import TrackerModel

/// A published rule of the field: what it wants in a second of a life.
protocol Baseline {
    /// - Returns: what becomes of the receiver, and whether this fix is a point and something is sent.
    mutating func take(_ second: BaselineSecond) -> BaselineWish
}

/// What such a rule is told once a second.
struct BaselineSecond {
    var second: Int
    /// `nil` while the receiver is off or searches. First fixes come when they are good enough (`BaselineRun`).
    var fix: SimulatedFixes.Fix?
    /// The accelerometer feels something.
    var isShaken: Bool
}

struct BaselineWish {
    var isReceiverOn = true
    var keepsFix = false
    var uploads = false
}

/// A point each so many seconds, wherever it is.
struct FixedInterval: Baseline {
    let seconds: Int
    /// The receiver is off between two points.
    let rests: Bool
    private var last: Int?

    init(seconds: Int, rests: Bool = false) {
        self.seconds = seconds
        self.rests = rests
    }

    mutating func take(_ now: BaselineSecond) -> BaselineWish {
        var wish = BaselineWish()
        let isDue = last.map { now.second - $0 >= seconds } ?? true
        if isDue, now.fix != nil {
            last = now.second
            wish.keepsFix = true
        }
        // On again 2 s before it is due: a hot start takes one.
        if rests, let last { wish.isReceiverOn = now.second - last >= seconds - 2 }
        return wish
    }
}

/// A point after so many metres or seconds, whichever is first; the receiver runs.
struct SmartSend: Baseline {
    let metres: Double
    let seconds: Int
    private var last: (second: Int, position: Coordinate)?

    init(metres: Double, seconds: Int) {
        self.metres = metres
        self.seconds = seconds
    }

    mutating func take(_ now: BaselineSecond) -> BaselineWish {
        var wish = BaselineWish()
        guard let fix = now.fix else { return wish }
        if let last, now.second - last.second < seconds, Geodesic.distanceM(last.position, fix.position) < metres {
            return wish
        }
        last = (now.second, fix.position)
        wish.keepsFix = true
        return wish
    }
}

/// A point each so many metres, more at speed; at rest for so long the receiver is off until something shakes.
struct ElasticDistance: Baseline {
    let metres: Double
    let stopSeconds: Int
    private var last: Coordinate?
    private var shakenAt = 0
    private var isMoving = true

    init(metres: Double, stopSeconds: Int) {
        self.metres = metres
        self.stopSeconds = stopSeconds
    }

    mutating func take(_ now: BaselineSecond) -> BaselineWish {
        var wish = BaselineWish()
        if now.isShaken {
            shakenAt = now.second
            isMoving = true
        }
        if let fix = now.fix, isMoving {
            // Five metres a second more are another `metres`.
            let steps = max(1, (fix.speedMps / 5).rounded())
            if last.map({ Geodesic.distanceM($0, fix.position) >= metres * steps }) ?? true {
                last = fix.position
                wish.keepsFix = true
            }
        }
        if isMoving, now.second - shakenAt >= stopSeconds, last != nil {
            isMoving = false
            // The stop itself is told.
            wish.keepsFix = now.fix != nil
            if let fix = now.fix { last = fix.position }
        }
        wish.isReceiverOn = isMoving
        return wish
    }
}

/// Asleep until something shakes, then a look; a trip when that is far enough away: points at an interval with the receiver
/// off between, uploads at another, until nothing has shaken for a while; a sign of life twice a day.
struct TripLogger: Baseline {
    private enum State {
        case asleep
        /// One fix, and why: it shook, or a sign of life is due.
        case looking(since: Int, isHeartbeat: Bool)
        case travelling
        /// The point of the trip's end, and the upload with it.
        case ending(since: Int)
    }

    private static let pointSeconds = 120
    private static let uploadSeconds = 1_800
    private static let endSeconds = 300
    private static let startM = 250.0
    private static let heartbeatSeconds = 43_200
    /// Between two looks while it is shaken at one place; the maker does not say, this saves.
    private static let lookAgainSeconds = 300
    /// A search in vain.
    private static let searchSeconds = 120

    private var state = State.looking(since: 0, isHeartbeat: true)
    private var place: Coordinate?
    private var lookedAt = -lookAgainSeconds
    private var heardAt = 0
    private var pointAt = 0
    private var uploadedAt = 0
    private var shakenAt = 0

    mutating func take(_ now: BaselineSecond) -> BaselineWish {
        if now.isShaken { shakenAt = now.second }
        var wish = BaselineWish()
        wish.isReceiverOn = false
        switch state {
        case .asleep:
            if now.isShaken, now.second - lookedAt >= Self.lookAgainSeconds {
                state = .looking(since: now.second, isHeartbeat: false)
            } else if now.second - heardAt >= Self.heartbeatSeconds {
                state = .looking(since: now.second, isHeartbeat: true)
            }
            if case .looking = state { wish.isReceiverOn = true }
        case .looking(let since, let isHeartbeat): look(now, since, isHeartbeat, &wish)
        case .travelling: travel(now, &wish)
        case .ending(let since):
            wish.isReceiverOn = true
            if now.fix != nil || now.second - since >= Self.searchSeconds { finish(now, &wish) }
        }
        return wish
    }

    private mutating func look(
        _ now: BaselineSecond, _ since: Int, _ isHeartbeat: Bool, _ wish: inout BaselineWish
    ) {
        wish.isReceiverOn = true
        guard let fix = now.fix else {
            if now.second - since >= Self.searchSeconds { sleep(now, &wish) }
            return
        }
        let isAway = place.map { Geodesic.distanceM($0, fix.position) >= Self.startM } ?? false
        guard isAway || isHeartbeat || place == nil else { return sleep(now, &wish) }
        place = fix.position
        wish.keepsFix = true
        wish.uploads = true
        (heardAt, pointAt, uploadedAt) = (now.second, now.second, now.second)
        sleep(now, &wish)
        if isAway { state = .travelling }
    }

    private mutating func travel(_ now: BaselineSecond, _ wish: inout BaselineWish) {
        if now.second - shakenAt >= Self.endSeconds {
            state = .ending(since: now.second)
            wish.isReceiverOn = true
            return
        }
        let age = now.second - pointAt
        wish.isReceiverOn = age >= Self.pointSeconds - 2
        if age >= Self.pointSeconds, let fix = now.fix {
            place = fix.position
            pointAt = now.second
            wish.keepsFix = true
            wish.isReceiverOn = false
        } else if age >= Self.pointSeconds + Self.searchSeconds {
            pointAt = now.second
            wish.isReceiverOn = false
        }
        if now.second - uploadedAt >= Self.uploadSeconds {
            uploadedAt = now.second
            wish.uploads = true
        }
    }

    private mutating func finish(_ now: BaselineSecond, _ wish: inout BaselineWish) {
        if let fix = now.fix {
            place = fix.position
            wish.keepsFix = true
        }
        wish.uploads = true
        heardAt = now.second
        sleep(now, &wish)
    }

    private mutating func sleep(_ now: BaselineSecond, _ wish: inout BaselineWish) {
        state = .asleep
        lookedAt = now.second
        wish.isReceiverOn = false
    }
}
