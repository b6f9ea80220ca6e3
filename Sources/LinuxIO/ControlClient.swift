import Glibc
public import Ports

/// The operator's end of the control socket.
public enum ControlClient {
    /// Sends one line and waits for the answer to it, both without their line end.
    /// - Parameter timeoutMillis: for the whole exchange.
    /// - Throws: `unreachable` when nobody is there, `overdue` when there is no answer in time.
    public static func exchange(
        path: String, line: [UInt8], timeoutMillis: Int64
    ) throws(ControlFailure) -> [UInt8] {
        let deadline = System.bootMillis() + timeoutMillis
        do throws(SystemFailure) {
            let client = try UnixClient(path: path, withinMillis: timeoutMillis)
            do throws(SystemFailure) {
                try client.send(line + [0x0A], deadline: deadline)
            } catch {
                // The daemon refuses what is too long before it is all sent, and says so.
                if error.number != EPIPE && error.number != ECONNRESET { throw error }
            }
            return try answer(of: client, path, deadline)
        } catch {
            throw .exchanging(path, error)
        }
    }

    /// Sends one line, then hands every line that comes to `take` until it returns false or the daemon closes.
    /// - Parameters:
    ///   - look: asked every so many milliseconds while nothing comes; false ends the stream.
    /// - Throws: `unreachable` when nobody is there, `overdue` when nobody takes the connection within `timeoutMillis`.
    public static func stream(
        path: String, line: [UInt8], timeoutMillis: Int64, look: (everyMillis: Int64, isWanted: () -> Bool)? = nil,
        _ take: ([UInt8]) -> Bool
    ) throws(ControlFailure) {
        do throws(SystemFailure) {
            let client = try UnixClient(path: path, withinMillis: timeoutMillis)
            try client.send(line + [0x0A], deadline: System.bootMillis() + timeoutMillis)
            var input: [UInt8] = []
            while true {
                if let look, !look.isWanted() { return }
                let part: [UInt8]
                do throws(SystemFailure) {
                    let deadline = look.map { System.bootMillis() + $0.everyMillis } ?? .max
                    part = try client.receive(upTo: 65_536, deadline: deadline)
                } catch {
                    guard look != nil, error.number == ETIMEDOUT else { throw error }
                    continue
                }
                if part.isEmpty { return }
                input += part
                while let end = input.firstIndex(of: 0x0A) {
                    let line = Array(input[..<end])
                    input.removeSubrange(...end)
                    guard take(line) else { return }
                }
            }
        } catch {
            throw .exchanging(path, error)
        }
    }

    /// An answer is as long as it needs to be; more than this is no answer.
    private static let longestAnswer = 64 << 20

    private static func answer(
        of client: UnixClient, _ path: String, _ deadline: Int64
    ) throws(SystemFailure) -> [UInt8] {
        var answer: [UInt8] = []
        while answer.count <= longestAnswer {
            let part = try client.receive(upTo: 65_536, deadline: deadline)
            if part.isEmpty { throw SystemFailure(call: "read", subject: path, number: ECONNRESET) }
            if let end = part.firstIndex(of: 0x0A) { return answer + part[..<end] }
            answer += part
        }
        throw SystemFailure(call: "read", subject: path, number: EMSGSIZE)
    }
}
