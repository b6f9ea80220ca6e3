import TrackerModel

extension RawFix {
    /// The columns of a raw fix, in the order of `values` and of `init(row:)`.
    static let columns = Columns(
        """
        time_ms, instant_ns, boot_id, latitude_e7, longitude_e7, accuracy_mm, altitude_mm, vertical_accuracy_mm, \
        speed_mmps, course_centideg, speed_accuracy_mmps, course_accuracy_centideg, provider, is_mock, satellites, \
        hdop_centi
        """)

    var values: [SQLValue] {
        [
            .int(time?.millis), .int(instant.nanos), .text(bootID), .int(latitudeE7), .int(longitudeE7),
            .int(accuracyMM), .int(altitudeMM), .int(verticalAccuracyMM), .int(speedMMps), .int(courseCentideg),
            .int(speedAccuracyMMps), .int(courseAccuracyCentideg), .text(provider.rawValue), .bool(isMock),
            .int(satellitesUsed), .int(hdopCenti),
        ]
    }

    init(row: Row) {
        self.init(
            time: row.int(0).map { UTCTime(millis: $0) }, instant: Instant(nanos: row.int(1) ?? 0),
            bootID: row.text(2) ?? "", provider: row.text(12).flatMap(FixProvider.init(rawValue:)) ?? .unknown,
            isMock: row.bool(13) ?? false)
        latitudeE7 = row.int32(3)
        longitudeE7 = row.int32(4)
        accuracyMM = row.int(5)
        altitudeMM = row.int(6)
        verticalAccuracyMM = row.int(7)
        speedMMps = row.int(8)
        courseCentideg = row.int(9)
        speedAccuracyMMps = row.int(10)
        courseAccuracyCentideg = row.int(11)
        satellitesUsed = row.int(14).map { Int(clamping: $0) }
        hdopCenti = row.int(15)
    }
}
