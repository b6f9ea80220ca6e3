import Testing
import TrackerModel

@testable import TrackJudge

@Suite("Reading track files")
struct ReadingTests {
    private func read(_ text: String, name: String = "x") throws -> Recording {
        try Recording.read(Array(text.utf8), name: name) { _ in Recording(format: .receiverLog, positions: []) }
    }

    private func failure(_ text: String, name: String = "x") -> JudgeFailure? {
        do {
            _ = try read(text, name: name)
            return nil
        } catch { return error as? JudgeFailure }
    }

    private let golden = [
        TimedPosition(
            time: UTCTime(millis: 1_777_878_000_250), position: Coordinate(latitude: 47.0480301, longitude: -8.3205384),
            accuracyM: 4.5),
        TimedPosition(
            time: UTCTime(millis: 1_777_878_002_000), position: Coordinate(latitude: -47.5, longitude: 8),
            accuracyM: nil),
    ]

    @Test("JSON Lines: locations in any order of members, -1 is unknown, lines of the accelerometer are passed over")
    func jsonLines() throws {
        let text = """
            {"acc":4.5,"lat":47.0480301,"lon":-8.3205384,"t":1777878000.25,"speed":-1,"prov":"gnss"}
            {"u":12.5,"x":0.1,"y":0,"z":1}

            {"t":1777878002,"lon":8,"lat":-47.5,"acc":-1}
            """
        #expect(try read(text) == Recording(format: .jsonLines, positions: golden))
        #expect(try read("\u{FEFF}" + text.replacing("\n", with: "\r\n")).positions == golden)
    }

    @Test("JSON Lines: a torn last line is dropped, one elsewhere names its line")
    func torn() throws {
        let line = #"{"lat":47.0480301,"lon":-8.3205384,"t":1777878000.25}"#
        #expect(try read("\(line)\n{\"lat\":47.04").positions.count == 1)
        #expect(failure("\(line)\n{\"lat\":47.04\n\(line)")?.line == 2)
        #expect(failure(#"{"lat":47"#) != nil)
    }

    @Test(
        "JSON Lines: what is no location is refused with line and name",
        arguments: [
            (#"{"lat":1,"lon":2}"#, "'t' is missing"), (#"{"t":5,"lat":"1","lon":2}"#, "'lat' is no number"),
            (#"{"t":5,"lat":91,"lon":2}"#, "no position"), (#"{"t":5,"lat":0,"lon":0}"#, "no position"),
            (#"{"t":1e300,"lat":1,"lon":2}"#, "'t' is 1e+300"), (#"{"t":1777878002000,"lat":1,"lon":2}"#, "'t' is"),
            (#"{"t":5,"lat":1,"lon":2,"acc":"x"}"#, "'acc' is no number"), (#"{"t":5,"lat":1}"#, "'lon' is missing"),
        ])
    func noLocation(line: String, cause: String) throws {
        let found = try #require(failure("{\"t\":1,\"lat\":1,\"lon\":1}\n\(line)\n{\"t\":1,\"lat\":1,\"lon\":1}"))
        #expect(found.line == 2 && found.cause.contains(cause), "\(found)")
    }

    @Test("JSON Lines: a recording that begins before date and position are known is read; what is left out is counted")
    func beginning() throws {
        let text = """
            {"acc":9,"lat":47,"lon":8,"u":1.5}
            {"acc":9,"lat":47,"lon":8,"u":2.5}
            {"acc":-1,"lat":0.000000000,"lon":0.000000000,"t":1777877999,"u":3.5}
            {"acc":4.5,"lat":47.0480301,"lon":-8.3205384,"t":1777878000.25,"u":4.5}
            """
        let found = try read(text)
        #expect(found.positions == [golden[0]])
        #expect(
            found.notes == ["2 fixes without a date are left out", "1 fixes without a position are left out"])
    }

    @Test("CSV: separators, quotes, names with units, and ISO times")
    func csv() throws {
        let expected = Recording(format: .csv, positions: golden)
        let plain = """
            # made by hand
            time,lat,lon,acc,name
            2026-05-04T07:00:00.25Z,47.0480301,-8.3205384,4.5,a
            2026-05-04T09:00:02+02:00,-47.5,8,,b
            """
        let quoted = """
            "No";"Name";"Longitude (deg)";"Latitude [deg]";"Date Time";"Accuracy (m)"
            "1";"a ""b"";c";"-8.3205384";"47.0480301";"2026-05-04 07:00:00.250";"4.5"
            "2";"";"8";"-47.5";"2026-05-04 07:00:02";""
            """
        #expect(try read(plain) == expected)
        #expect(try read(quoted) == expected)
        #expect(try read(plain.replacing(",", with: "\t").replacing("\n", with: "\r\n")) == expected)
    }

    @Test("CSV: times as seconds, milliseconds, or by date and time of day")
    func csvTimes() throws {
        let times: [(String, String)] = [
            ("time", "1777878002"), ("time", "1777878002000"), ("t", "1777878002.0"), ("time_ms", "1777878002000"),
            ("epoch", "1777878002"), ("date,time", "2026/05/04,07:00:02"), ("date,time", "2026-05-04,07:00:02.0Z"),
        ]
        for (names, cells) in times {
            let found = try read("\(names),lat,lon\n\(cells),-47.5,8\n")
            #expect(found.positions == [golden[1]], "\(names) \(cells)")
        }
    }

    @Test("CSV: rows without a position are left out and counted")
    func csvNoFix() throws {
        let found = try read("t,lat,lon\n1777878001,,\n1777878002,-47.5,8\n")
        #expect(found.positions == [golden[1]] && found.notes == ["1 rows without a position are left out"])
    }

    @Test(
        "CSV: what cannot be read is refused with its line",
        arguments: [
            ("1777878001,nan,8", "latitude 'nan'"), ("1777878001,47,inf", "longitude 'inf'"),
            ("1777878001,0x1p3,8", "latitude '0x1p3'"), ("1777878001,47", "only 2 columns"),
            ("07:00:01,47,8", "time '07:00:01'"), ("2026-02-30T00:00:00Z,47,8", "time '2026-02-30"),
            ("9e99,47,8", "time '9e99'"), ("1777878001,47,181", "no position"), ("1777878001,47,", "longitude ''"),
        ])
    func badCSV(row: String, cause: String) throws {
        let found = try #require(failure("t,lat,lon\n1777878000,47,8\n\(row)\n"))
        #expect(found.line == 3 && found.cause.contains(cause), "\(found)")
    }

    @Test("CSV: without a header, or with hemispheres in columns of their own, there is advice")
    func noHeader() throws {
        for text in ["1777878000,47,8\n", "time,lat,n/s,lon,e/w\n1777878000,47,S,8,W\n"] {
            let found = try #require(failure(text, name: "x.csv"))
            #expect(found.line == 1 && found.remedy.contains("time,lat,lon"))
        }
    }

    @Test("Times that go back are put in order with a note, equal ones keep the order of the file")
    func order() throws {
        let found = try read("t,lat,lon\n3,1,3\n1,1,1\n3,1,4\n2,1,2\n")
        #expect(found.positions.map(\.position.longitude) == [1, 2, 3, 4])
        #expect(found.notes == ["times go back 2 times; put in order"])
    }

    @Test("Content decides what a file is, the name only where it does not")
    func detection() throws {
        let rows: [(String, String, RecordingFormat)] = [
            (" \n{ \"t\":1}", "x.csv", .jsonLines), ("<?xml version=\"1.0\"?>\n<gpx>", "x.txt", .gpx),
            ("<gpx><desc>$GPS</desc></gpx>", "x", .gpx), ("t;lat;lon\n", "x.gpx", .csv),
            ("$GPGGA,123519,4807.038,N\r\n", "x.csv", .receiverLog), ("# Name: x\n$GNRMC,1\r\n", "x", .receiverLog),
            ("noise", "x.UBX", .receiverLog), ("[    1.2] usb 1-1\n$GPRMC,1", "x", .receiverLog),
        ]
        for (text, name, format) in rows {
            #expect(try RecordingFormat.detect(Array(text.utf8), name: name) == format, "\(text)")
        }
        let frame: [UInt8] = [0xB5, 0x62, 0x01, 0x07, 0x5C, 0x00]
        #expect(try RecordingFormat.detect(frame, name: "x.json") == .receiverLog)
    }

    @Test(
        "What cannot be read is refused with advice",
        arguments: [
            ("", "empty"), (" \r\n\t", "empty"), ("SQLite format 3\0 ...", "database"), ("[{\"t\":1}]", "JSON array"),
            ("hello", "neither"), ("<html><body/></html>", "<html>"), ("{\"t\":1", "no position"),
            ("$GPGGA,1", "no position"),
        ])
    func refused(text: String, cause: String) throws {
        let found = try #require(failure(text))
        #expect(found.cause.contains(cause) && !found.remedy.isEmpty, "\(found)")
    }
}
