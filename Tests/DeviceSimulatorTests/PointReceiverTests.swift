import Glibc
import Testing
import WireText

@testable import DeviceSimulator

@Suite("Upload endpoint", .serialized)
struct PointReceiverTests {
    private static let two = """
        {"location":[{"uuid":"a","time":2000,"latitude":47.001,"longitude":8},\
        {"uuid":"b","time":1000,"latitude":47.0,"longitude":8.0,"accuracy":3.5}]}
        """

    private static func post(_ body: String, _ headers: String = "") -> String {
        "POST /v1/points?x=1 HTTP/1.1\r\nHost: bench\r\nContent-Length: \(body.utf8.count)\r\n\(headers)\r\n\(body)"
    }

    private func receiver(_ script: String = "200*", keep: String? = nil) throws -> PointReceiver {
        var options = PointReceiver.Options()
        options.script = try StatusScript(script)
        options.keepPath = keep
        return try PointReceiver(options, emit: { _ in })
    }

    /// Sends on a new connection and returns the answer's status line.
    @discardableResult
    private func exchange(_ receiver: PointReceiver, _ request: String, seconds: Double = 5) -> String {
        let peer = BenchPeer.connecting(port: receiver.port)
        peer.write(request)
        turn(receiver, atMostSeconds: seconds) {
            peer.poll()
            return peer.isClosed || peer.text.contains("\r\n\r\n")
        }
        return String(peer.text.prefix { $0 != "\r\n" })
    }

    private func summary(_ receiver: PointReceiver) -> [Int64] {
        let summary = receiver.collection.summary
        return ["requests", "received", "duplicates", "uuids", "refused"].map { summary[$0]?.intValue ?? -1 }
    }

    @Test("Points are kept once by uuid, in order of arrival; the rest are duplicates")
    func duplicates() throws {
        let receiver = try receiver()
        #expect(exchange(receiver, Self.post(Self.two)) == "HTTP/1.1 200 OK")
        #expect(exchange(receiver, Self.post(Self.two)) == "HTTP/1.1 200 OK")
        #expect(summary(receiver) == [2, 4, 2, 2, 0])
        #expect(receiver.collection.points.map { $0["uuid"]?.stringValue } == ["a", "b"])
        // 0.001° of latitude at 47°: 111.17 m.
        #expect(abs(receiver.collection.distanceM - 111.17) < 0.1)
    }

    @Test("The summary and the points can be asked for")
    func questions() throws {
        let receiver = try receiver()
        exchange(receiver, Self.post(Self.two))
        let peer = BenchPeer.connecting(port: receiver.port)
        peer.write("GET /summary HTTP/1.1\r\n\r\nGET /points HTTP/1.1\r\nConnection: close\r\n\r\n")
        turn(receiver) {
            peer.poll()
            return peer.isClosed
        }
        #expect(
            peer.text.contains(#"{"requests":1,"received":2,"duplicates":0,"uuids":2,"refused":0,"distanceM":111.2}"#))
        #expect(peer.text.contains(#"[{"uuid":"a","time":2000,"latitude":47.001,"longitude":8},{"uuid":"b""#))
        #expect(exchange(receiver, "GET /other HTTP/1.1\r\n\r\n").hasPrefix("HTTP/1.1 404"))
        #expect(exchange(receiver, "DELETE /points HTTP/1.1\r\n\r\n").hasPrefix("HTTP/1.1 405"))
    }

    @Test("A status script answers in order and its last word goes on; only 2xx keeps points")
    func script() throws {
        let receiver = try receiver("500,429,201*")
        let answers = (0..<4).map { _ in exchange(receiver, Self.post(Self.two)).split(separator: " ")[1] }
        #expect(answers == ["500", "429", "201", "201"])
        #expect(summary(receiver) == [4, 4, 2, 2, 2])
    }

    @Test("cut and garbage keep the points and give no answer")
    func noAnswer() throws {
        let receiver = try receiver("cut,garbage")
        #expect(exchange(receiver, Self.post(Self.two)) == "")
        #expect(summary(receiver) == [1, 2, 0, 2, 0])
        let peer = BenchPeer.connecting(port: receiver.port)
        peer.write(Self.post(Self.two))
        turn(receiver) {
            peer.poll()
            return peer.isClosed
        }
        #expect(!peer.bytes.isEmpty && !peer.text.hasPrefix("HTTP"))
        #expect(summary(receiver) == [2, 4, 2, 2, 0])
    }

    @Test("slow keeps the points at once and answers after 3 s, while others are served")
    func slow() throws {
        let receiver = try receiver("slow,200*")
        let peer = BenchPeer.connecting(port: receiver.port)
        peer.write(Self.post(Self.two))
        turn(receiver) { receiver.collection.requests == 1 }
        let begin = Monotonic.nanos()
        #expect(exchange(receiver, Self.post(Self.two)) == "HTTP/1.1 200 OK")
        #expect(peer.bytes.isEmpty)
        turn(receiver) {
            peer.poll()
            return !peer.bytes.isEmpty
        }
        #expect(peer.text.hasPrefix("HTTP/1.1 200 OK"))
        #expect((2_800_000_000...4_500_000_000).contains(Monotonic.nanos() - begin))
    }

    @Test(
        "Bodies that are no uploads are refused whole",
        arguments: [
            ("{", "400"), ("", "400"), ("[]", "422"), (#"{"location":1}"#, "422"),
            (#"{"location":[{"uuid":"c","time":1,"latitude":1,"longitude":1},{"uuid":"d"}]}"#, "422"),
            (#"{"location":[{"uuid":"c","time":1.5,"latitude":1,"longitude":1}]}"#, "422"),
            (#"{"location":[{"uuid":"c","time":1,"latitude":"1","longitude":1}]}"#, "422"),
            (#"{"location":[{"uuid":7,"time":1,"latitude":1,"longitude":1}]}"#, "422"),
        ])
    func badBodies(body: String, status: String) throws {
        let receiver = try receiver()
        #expect(exchange(receiver, Self.post(body)).split(separator: " ")[1] == status)
        #expect(summary(receiver) == [1, 0, 0, 0, 1])
        #expect(exchange(receiver, Self.post(Self.two)) == "HTTP/1.1 200 OK")
    }

    @Test(
        "Requests that are no HTTP are answered and the next client is served",
        arguments: [
            ("nonsense\r\n\r\n", "400"), ("POST / HTTP/1.1\r\n\r\n", "411"),
            ("POST / HTTP/1.1\r\nContent-Length: -1\r\n\r\n", "400"),
            ("POST / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n", "400"),
            ("POST / HTTP/1.1\r\nContent-Length: 4194305\r\n\r\n", "413"),
            ("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n", "411"),
            ("POST / HTTP/1.1\r\nContent-Encoding: br\r\nContent-Length: 1\r\n\r\n", "415"),
            ("POST / HTTP/1.1\r\nno colon\r\n\r\n", "400"),
            (String(repeating: "x", count: 17_000), "431"),
        ])
    func badRequests(request: String, status: String) throws {
        let receiver = try receiver()
        #expect(exchange(receiver, request).split(separator: " ").dropFirst().first == Substring(status))
        #expect(exchange(receiver, Self.post(Self.two)) == "HTTP/1.1 200 OK")
    }

    /// `{"location":[{"uuid":"a","time":2000,"latitude":47.001,"longitude":8}]}` by gzip(1).
    private static let gzipped =
        Hex.bytes(
            """
            1f8b0800000000000203ab56cac94f4e2cc9\
            cccf53b28aae562a2dcd4c51b2524a54d251\
            2ac9cc4d55b232323030d051ca01aa28294d\
            01f24dccf50c0c0c8122f979e950218bdad8\
            5a002c919ea247000000
            """) ?? []

    @Test("A body in a gzip frame is read, one that is cut or no frame is refused")
    func gzip() throws {
        let head = "POST / HTTP/1.1\r\nContent-Encoding: gzip\r\nContent-Length: "
        func post(_ body: [UInt8]) -> [UInt8] { Array((head + "\(body.count)\r\n\r\n").utf8) + body }
        var reader = HTTPRequestReader()
        reader.append(post(Self.gzipped))
        var points = PointCollection()
        let request = try #require(try reader.next())
        #expect(try points.keep(request.body).map { $0["uuid"]?.stringValue } == ["a"])
        for wrong in [Array(Self.gzipped.dropLast()), Self.gzipped + [0], [1, 2, 3], []] {
            var reader = HTTPRequestReader()
            reader.append(post(wrong))
            #expect(throws: HTTPRefusal.self) { try reader.next() }
        }
    }

    @Test("Expect: 100-continue is answered before the body comes")
    func expectContinue() throws {
        let receiver = try receiver()
        let peer = BenchPeer.connecting(port: receiver.port)
        let request = Self.post(Self.two, "Expect: 100-continue\r\n")
        let head = request.utf8.count - Self.two.utf8.count
        peer.write(Array(request.utf8.prefix(head)))
        turn(receiver) {
            peer.poll()
            return !peer.bytes.isEmpty
        }
        #expect(peer.text == "HTTP/1.1 100 Continue\r\n\r\n")
        peer.forget()
        peer.write(Self.two)
        turn(receiver) {
            peer.poll()
            return !peer.bytes.isEmpty
        }
        #expect(peer.text.hasPrefix("HTTP/1.1 200 OK"))
    }

    @Test("A request split at any byte is one request")
    func splitAnywhere() throws {
        let request = Array(Self.post(Self.two).utf8)
        for cut in 0...request.count {
            var reader = HTTPRequestReader()
            reader.append(request[..<cut])
            let early = try reader.next()
            reader.append(request[cut...])
            let late = try reader.next()
            let whole = early ?? late
            #expect(whole?.path == "/v1/points" && whole?.body == Array(Self.two.utf8), "cut at \(cut)")
        }
    }

    @Test("Clients that vanish in the middle leave nothing behind")
    func vanishing() throws {
        let receiver = try receiver("slow,200*")
        for count in [0, 10, 100, 10_000] {
            let peer = BenchPeer.connecting(port: receiver.port)
            peer.write(Array(Self.post(Self.two).utf8.prefix(count)))
            receiver.turn(orUntilReadable: -1, atMostMillis: 20)
            receiver.turn(orUntilReadable: -1, atMostMillis: 20)
        }
        #expect(exchange(receiver, Self.post(Self.two)) == "HTTP/1.1 200 OK")
    }

    @Test("New points are appended to the kept file, a line each")
    func keepFile() throws {
        let path = benchPath("keep.jsonl")
        unlink(path)
        defer { unlink(path) }
        let receiver = try receiver(keep: path)
        exchange(receiver, Self.post(Self.two))
        exchange(receiver, Self.post(Self.two))
        let lines = String(decoding: try BenchFile.read(path), as: UTF8.self).split(separator: "\n")
        #expect(lines.count == 2)
        #expect(lines[0] == #"{"uuid":"a","time":2000,"latitude":47.001,"longitude":8}"#)
    }

    /// Sends on a new connection and returns everything that comes back.
    private func whole(_ receiver: PointReceiver, _ request: String) -> String {
        let peer = BenchPeer.connecting(port: receiver.port)
        peer.write(request)
        turn(receiver, atMostSeconds: 5) {
            peer.poll()
            return peer.isClosed || peer.text.contains("\r\n\r\n")
        }
        return peer.text
    }

    @Test("Retry-After in seconds and as a date, a redirect, and half an answer, as scripted")
    func scriptedHeaders() throws {
        let receiver = try receiver("429+120,503+date90,307>/new,half,200*")
        #expect(whole(receiver, Self.post(Self.two)).contains("\r\nRetry-After: 120\r\n"))
        let dated = whole(receiver, Self.post(Self.two))
        #expect(dated.contains("\r\nDate: ") && dated.contains("\r\nRetry-After: ") && dated.contains(" GMT\r\n"))
        #expect(whole(receiver, Self.post(Self.two)).contains("\r\nLocation: /new\r\n"))
        #expect(summary(receiver) == [3, 0, 0, 0, 3])
        #expect(!whole(receiver, Self.post(Self.two)).contains("\r\n\r\n"))
        #expect(summary(receiver) == [4, 2, 0, 2, 3])
    }

    @Test("Dates are those of RFC 9110")
    func dates() {
        #expect(HTTPResponse.date(784_111_777) == "Sun, 06 Nov 1994 08:49:37 GMT")
        #expect(HTTPResponse.date(0) == "Thu, 01 Jan 1970 00:00:00 GMT")
    }

    @Test("One point is refused for good, and batches of too many are")
    func limits() throws {
        var limits = ReceiverLimits(refusedPoint: 2, mostPoints: 2)
        func body(_ uuids: [String]) -> [UInt8] {
            Array(#"{"location":[\#(uuids.map { #"{"uuid":"\#($0)"}"# }.joined(separator: ","))]}"#.utf8)
        }
        #expect(limits.refusal(of: body(["a", "b", "c"])) == 413)
        #expect(limits.refusal(of: body(["a"])) == nil)
        #expect(limits.refusal(of: body(["a", "b"])) == 422)
        #expect(limits.refusal(of: body(["c", "a"])) == nil)
        #expect(limits.refusal(of: body(["b"])) == 422)
        #expect(limits.refusal(of: body([])) == nil && limits.refusal(of: [1]) == nil)
    }

    @Test("A script that is not understood names the word", arguments: ["", "200,oops", "99", "600", "200*,500"])
    func badScripts(text: String) {
        #expect(throws: BenchFailure.self) { _ = try StatusScript(text) }
    }
}
