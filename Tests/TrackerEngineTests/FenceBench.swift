import TestKit
import TrackerGeo
import TrackerModel

@testable import TrackerEngine

/// A fence machine, a clock, and a receiver that reports places in metres around a centre.
struct FenceBench {
    static let centre = Coordinate(latitude: 47.05, longitude: 8.3)
    static let epoch = UTCTime(millis: 1_777_000_000_000)

    var machine: FenceMachine
    private(set) var now: Instant
    private(set) var crossings: [FenceCrossing] = []
    private(set) var fixRequests = 0
    private(set) var stationaryExits = 0
    private(set) var wake = Instant.never
    let origin: Coordinate
    /// UTC of instant 0 of this boot.
    let bootAt: UTCTime

    init(
        origin: Coordinate = FenceBench.centre, bootAt: UTCTime = FenceBench.epoch,
        mockPolicy: CaptureConfig.MockPolicy = .flag
    ) {
        var config = CaptureConfig()
        config.mockPolicy = mockPolicy
        machine = FenceMachine(config)
        self.origin = origin
        self.bootAt = bootAt
        now = Instant(millis: 50_000)
    }

    var utc: UTCTime { bootAt.advanced(byMillis: now.millis) }
    /// Kind and whole seconds since the epoch, in order.
    var told: [String] {
        crossings.map { "\($0.kind.rawValue) \(Double($0.time.millis - Self.epoch.millis) / 1_000)" }
    }
    var kinds: [FenceCrossing.Kind] { crossings.map(\.kind) }

    mutating func step(_ event: FenceEvent) {
        var actions: [FenceAction] = []
        machine.handle(event, at: now, into: &actions)
        for action in actions {
            switch action {
            case .cross(let crossing): crossings.append(crossing)
            case .requestFix: fixRequests += 1
            case .leaveStationary: stationaryExits += 1
            case .wake(let deadline): wake = deadline
            }
        }
    }

    func fence(
        _ id: String = "home", east: Double = 0, north: Double = 0, radiusM: Double = 100, dwellSeconds: Int64? = nil,
        onEntry: Bool = true
    ) -> Geofence {
        let centre = LocalFrame(origin: origin).position(east: east, north: north)
        return Geofence(
            id: id, latitudeE7: centre.latitudeE7, longitudeE7: centre.longitudeE7, radiusMM: Int64(radiusM * 1_000),
            notifyOnEntry: onEntry, dwellAfterMillis: dwellSeconds.map { $0 * 1_000 })
    }

    /// - Parameter latest: what its history ends with.
    mutating func arm(_ fence: Geofence, latest: FenceCrossing? = nil) {
        step(.armed(ArmedFence(fence: fence, armedAt: utc, latest: latest, isLatestOlder: latest != nil)))
    }

    /// A fix now, `east` and `north` of the origin.
    mutating func fix(
        east: Double, north: Double = 0, accuracyM: Double = 5, speedMps: Double? = nil, isMock: Bool = false
    ) {
        let place = LocalFrame(origin: origin).position(east: east, north: north)
        step(
            .fixDetermined(
                TrackFix(
                    time: utc, instant: now, receivedAt: now, coordinate: place, accuracyM: accuracyM,
                    speedMps: speedMps, isMock: isMock)))
    }

    /// Moves the clock, and calls back when that was wished for.
    /// - Parameter trusted: whether something vouches for the clock.
    mutating func advance(_ seconds: Double, trusted: Bool = true) {
        let target = now.advanced(byMillis: Int64((seconds * 1_000).rounded()))
        while wake <= target {
            now = wake
            wake = .never
            step(.dwellsDue(trusted: trusted ? utc : nil))
        }
        now = target
    }

    /// One fix a second at the same place.
    mutating func stay(_ seconds: Int, east: Double, accuracyM: Double = 5) {
        for _ in 0..<seconds {
            fix(east: east, accuracyM: accuracyM, speedMps: 0.1)
            advance(1)
        }
    }

    /// From `from` to `to` metres east at a steady speed, a fix every `every` seconds.
    mutating func drive(from: Double, to: Double, north: Double = 0, speedMps: Double, every: Double = 1) {
        var east = from
        while east <= to {
            fix(east: east, north: north, speedMps: speedMps)
            advance(every)
            east += speedMps * every
        }
    }

    /// What is left of a machine when its process ends and another one starts `after` seconds later, in another boot.
    func restarted(after seconds: Double, _ fences: [Geofence], history: [FenceCrossing]? = nil) -> FenceBench {
        let start = utc.advanced(byMillis: Int64(seconds * 1_000))
        var next = FenceBench(origin: origin, bootAt: start.advanced(byMillis: -50_000))
        let rows = history ?? crossings
        next.step(
            .restored(
                fences.map { fence in
                    ArmedFence(fence: fence, armedAt: Self.epoch, latest: rows.last { $0.fenceID == fence.id })
                }))
        return next
    }
}
