import TrackerModel

extension TrackPoint {
    /// The columns of a stored point, in the order of `values` and of `init(row:)`.
    static let columns = Columns(
        """
        id, uuid, session_id, time_ms, instant_ns, boot_id, local_date, time_zone, latitude_e7, longitude_e7, \
        accuracy_mm, altitude_mm, speed_mmps, bearing_centideg, has_speed, has_bearing, provider, is_mock, movement, \
        accept_reason, odometer_mm, battery_percent, is_charging, silence_ms, gap_cause, activity, \
        activity_since_ms, is_significant_stop
        """)

    /// What is bound when the point is stored; the id is left to the database.
    var values: [SQLValue] {
        [
            .null, .text(uuid), .text(sessionID), .int(time.millis), .int(instant.nanos), .text(bootID),
            .text(localDate), .text(timeZone), .int(latitudeE7), .int(longitudeE7), .int(accuracyMM),
            .int(altitudeMM), .int(speedMMps), .int(bearingCentideg), .bool(hasSpeed), .bool(hasBearing),
            .text(provider.rawValue), .bool(isMock), .text(movement.rawValue), .text(acceptReason.rawValue),
            .int(odometerMM), .int(batteryPercent), .bool(isCharging),
            .int(silenceMillis), .text(gapCause?.rawValue), .text(activity?.rawValue), .int(activitySince?.millis),
            .bool(isSignificantStop),
        ]
    }

    /// A word that this version does not know reads as the case that claims least: provider `unknown`, movement
    /// `steady`, reason `Init`.
    init(row: Row) {
        self.init(
            id: row.int(0) ?? 0, uuid: row.text(1) ?? "", sessionID: row.text(2) ?? "",
            time: UTCTime(millis: row.int(3) ?? 0), instant: Instant(nanos: row.int(4) ?? 0),
            bootID: row.text(5) ?? "", localDate: row.text(6) ?? "", timeZone: row.text(7) ?? "",
            latitudeE7: row.int32(8) ?? 0, longitudeE7: row.int32(9) ?? 0, accuracyMM: row.int(10) ?? 0,
            altitudeMM: row.int(11), speedMMps: row.int(12) ?? 0, bearingCentideg: row.int(13) ?? 0,
            hasSpeed: row.bool(14) ?? false, hasBearing: row.bool(15) ?? false,
            provider: row.text(16).flatMap(FixProvider.init(rawValue:)) ?? .unknown,
            isMock: row.bool(17) ?? false,
            movement: row.text(18).flatMap(MovementStatus.init(rawValue:)) ?? .steady,
            acceptReason: row.text(19).flatMap(DecisionReason.init(rawValue:)) ?? .initial,
            odometerMM: row.int(20) ?? 0, batteryPercent: row.int(21).map { Int(clamping: $0) },
            isCharging: row.bool(22))
        silenceMillis = row.int(23) ?? 0
        gapCause = row.text(24).flatMap(GapCause.init(rawValue:))
        activity = row.text(25).map { Activity(rawValue: $0) ?? .unknown }
        activitySince = row.int(26).map { UTCTime(millis: $0) }
        isSignificantStop = row.bool(27) ?? false
    }
}
