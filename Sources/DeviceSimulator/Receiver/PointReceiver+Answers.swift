import Glibc
import WireText

extension PointReceiver {
    /// Answers the whole requests of a connection; false when it is to be closed at once.
    func answerAll(_ connection: inout ReceiverConnection) -> Bool {
        while !connection.isBusy, !connection.closesAfterAnswer {
            do throws(HTTPRefusal) {
                guard let request = try connection.requests.next() else {
                    if connection.requests.wantsContinue {
                        connection.requests.wantsContinue = false
                        connection.send(HTTPResponse.continued)
                    }
                    return true
                }
                if !request.keepsAlive { connection.closesAfterAnswer = true }
                guard answer(request, on: &connection) else { return false }
            } catch {
                collection.refused += 1
                connection.closesAfterAnswer = true
                connection.discardsInput = true
                reply(error.status, ["error": .string(error.message)], on: &connection)
            }
        }
        return true
    }

    private func answer(_ request: HTTPRequest, on connection: inout ReceiverConnection) -> Bool {
        switch (request.method, request.path) {
        case _ where request.isUpload: return answerUpload(request, on: &connection)
        case ("GET", "/summary"): reply(200, collection.summary, on: &connection)
        case ("GET", "/points"): reply(200, .array(collection.points), on: &connection)
        case ("GET", _):
            reply(404, ["error": "GET /summary or /points, POST anywhere"], on: &connection)
        default: reply(405, ["error": "POST, PUT, PATCH or GET only"], on: &connection)
        }
        return true
    }

    /// The script decides first; only an answer that claims success looks at the points.
    private func answerUpload(_ request: HTTPRequest, on connection: inout ReceiverConnection) -> Bool {
        collection.requests += 1
        let answer = script.next()
        if let refusal = Self.refusal(answer) {
            collection.refused += 1
            reply(refusal.status, ["error": "as scripted"], on: &connection, headers: refusal.headers)
            return true
        }
        if let status = limits.refusal(of: request.body) {
            collection.refused += 1
            reply(status, ["error": "a point is refused, or there are too many"], on: &connection)
            return true
        }
        let kept: Int
        do throws(PointCollection.Refusal) {
            let new = try collection.keep(request.body)
            kept = new.count
            writeDown(new)
        } catch {
            collection.refused += 1
            reply(error.status, ["error": .string(error.message)], on: &connection)
            return true
        }
        let thanks: JSONObject = ["kept": .int(Int64(kept))]
        switch answer {
        case .status(let status), .retry(let status, _, _), .redirect(let status, _):
            reply(status, .object(thanks), on: &connection)
        case .cut: return false
        case .half:
            connection.closesAfterAnswer = true
            connection.send(Array("HTTP/1.1 200 OK\r\nContent-Ty".utf8))
        case .slow:
            let bytes = HTTPResponse.bytes(
                status: 200, json: .object(thanks), keepsAlive: !connection.closesAfterAnswer)
            connection.hold(bytes, until: Monotonic.nanos() + Self.slowNanos)
        case .garbage:
            connection.closesAfterAnswer = true
            connection.send(HTTPResponse.garbage)
        }
        return true
    }

    /// What the script says without a look at the points; `nil` when it claims success.
    private static func refusal(_ answer: StatusScript.Answer) -> (status: Int, headers: [String])? {
        switch answer {
        case .status(let status): return (200...299).contains(status) ? nil : (status, [])
        case .redirect(let status, let place): return (status, ["Location: \(place)"])
        case .retry(let status, let seconds, let asDate):
            guard asDate else { return (status, ["Retry-After: \(seconds)"]) }
            let now = Int64(time(nil))
            let dates = ["Date: \(HTTPResponse.date(now))", "Retry-After: \(HTTPResponse.date(now + Int64(seconds)))"]
            return (status, dates)
        case .cut, .half, .slow, .garbage: return nil
        }
    }

    private func writeDown(_ points: [JSONValue]) {
        guard keepFile >= 0, !points.isEmpty else { return }
        let lines = points.flatMap { $0.bytes + [UInt8(ascii: "\n")] }
        do throws(BenchFailure) {
            try BenchFile.append(lines, to: keepFile, named: keepPath)
        } catch {
            emit(["event": "failed", "cause": .string(error.cause), "remedy": .string(error.remedy)])
        }
    }

    private func reply(
        _ status: Int, _ json: JSONValue, on connection: inout ReceiverConnection, headers: [String] = []
    ) {
        connection.send(
            HTTPResponse.bytes(
                status: status, json: json, keepsAlive: !connection.closesAfterAnswer, headers: headers))
    }
}
