import TrackerModel

extension Geofence {
    /// The columns of a fence, in the order of `values` and of `init(row:)`.
    static let columns = Columns(
        """
        id, latitude_e7, longitude_e7, radius_mm, notify_on_entry, notify_on_exit, dwell_after_ms
        """)

    var values: [SQLValue] {
        [
            .text(id), .int(latitudeE7), .int(longitudeE7), .int(radiusMM), .bool(notifyOnEntry), .bool(notifyOnExit),
            .int(dwellAfterMillis),
        ]
    }

    /// A radius out of range is brought into it, and a dwell that is none is left out: the file may be of another hand.
    init(row: Row) {
        let range = Self.radiusRangeMM
        self.init(
            id: row.text(0) ?? "", latitudeE7: row.int32(1) ?? 0, longitudeE7: row.int32(2) ?? 0,
            radiusMM: min(range.upperBound, max(range.lowerBound, row.int(3) ?? 0)),
            notifyOnEntry: row.bool(4) ?? true, notifyOnExit: row.bool(5) ?? true,
            dwellAfterMillis: row.int(6).flatMap { (1...Self.longestDwellMillis).contains($0) ? $0 : nil })
    }
}

extension FenceCrossing {
    /// The columns of a crossing, in the order of `values` and of `init(row:from:)`.
    static let columns = Columns(
        """
        id, fence_id, kind, time_ms, latitude_e7, longitude_e7, radius_mm, is_late, is_unverified, is_notified
        """)

    /// What is bound when the crossing is stored; the id is left to the database.
    var values: [SQLValue] {
        [
            .null, .text(fenceID), .text(kind.rawValue), .int(time.millis), .int(latitudeE7), .int(longitudeE7),
            .int(radiusMM), .bool(isLate), .bool(isUnverified), .bool(isNotified),
        ]
    }

    /// `nil` where a join found none. A kind that this version does not know reads as `exit`, which claims least: the
    /// next fix then says where the device is.
    init?(row: Row, from column: Int32 = 0) {
        guard let id = row.int(column) else { return nil }
        self.init(
            id: id, fenceID: row.text(column + 1) ?? "",
            kind: row.text(column + 2).flatMap(Kind.init(rawValue:)) ?? .exit,
            time: UTCTime(millis: row.int(column + 3) ?? 0), latitudeE7: row.int32(column + 4) ?? 0,
            longitudeE7: row.int32(column + 5) ?? 0, radiusMM: row.int(column + 6) ?? 0,
            isLate: row.bool(column + 7) ?? false, isUnverified: row.bool(column + 8) ?? false,
            isNotified: row.bool(column + 9) ?? true)
    }
}
