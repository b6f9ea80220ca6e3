import Glibc
import Testing

@testable import DeviceSimulator

@Suite("Register bus on a socket", .serialized)
struct AccelerometerServerTests {
    private func server(_ name: String, _ text: String) throws -> (AccelerometerServer, String) {
        let options = AccelerometerServer.Options(path: benchPath(name))
        return (try AccelerometerServer(try MotionScript(text: text), options: options, emit: { _ in }), options.path)
    }

    private func ask(_ server: AccelerometerServer, _ peer: BenchPeer, _ request: [UInt8], count: Int) -> [UInt8] {
        peer.forget()
        peer.write(request)
        turn(server, atMostSeconds: 2) {
            peer.poll()
            return peer.bytes.count >= count || peer.isClosed
        }
        return peer.bytes
    }

    @Test("Reads and writes are answered with status, count and data")
    func exchange() throws {
        let (server, path) = try server("bus", "still 60")
        let peer = BenchPeer.connecting(unix: path)
        #expect(ask(server, peer, [0, 0x18, 0x0F, 1], count: 3) == [0, 1, 0x33])
        #expect(ask(server, peer, [1, 0x18, 0x20, 1, 0x57], count: 2) == [0, 0])
        #expect(ask(server, peer, [0, 0x18, 0x20, 1], count: 3) == [0, 1, 0x57])
        #expect(ask(server, peer, [0, 0x18, 0xA8, 6], count: 8).count == 8)
    }

    @Test("Another address and a fault are not acknowledged: EREMOTEIO")
    func noAnswer() throws {
        let (server, path) = try server("nak", "fault 60")
        let peer = BenchPeer.connecting(unix: path)
        #expect(ask(server, peer, [0, 0x19, 0x0F, 1], count: 2) == [121, 0])
        #expect(ask(server, peer, [0, 0x18, 0x0F, 1], count: 2) == [121, 0])
    }

    @Test("A request in pieces is one request, two in one piece are two; clients follow one another")
    func framing() throws {
        let (server, path) = try server("cut", "still 60")
        var peer = BenchPeer.connecting(unix: path)
        peer.write([0, 0x18])
        turn(server, atMostSeconds: 0.05) { false }
        #expect(ask(server, peer, [0x0F, 1], count: 3) == [0, 1, 0x33])
        #expect(ask(server, peer, [0, 0x18, 0x0F, 1, 0, 0x18, 0x0F, 1], count: 6) == [0, 1, 0x33, 0, 1, 0x33])
        peer = BenchPeer.connecting(unix: path)
        #expect(ask(server, peer, [0, 0x18, 0x0F, 1], count: 3) == [0, 1, 0x33])
    }

    @Test("An unknown operation is refused with EINVAL and the connection closed")
    func malformed() throws {
        let (server, path) = try server("bad", "still 60")
        let peer = BenchPeer.connecting(unix: path)
        #expect(ask(server, peer, [7, 0x18, 0x0F, 1], count: 3) == [22, 0])
        #expect(peer.isClosed)
    }

    @Test("A fuel gauge answers beside the accelerometer, on the same bus")
    func gauge() throws {
        var options = AccelerometerServer.Options(path: benchPath("gauge"))
        options.battery = try BatteryScript(text: "battery 1000 50\n")
        let server = try AccelerometerServer(try MotionScript(text: "still 60"), options: options, emit: { _ in })
        let peer = BenchPeer.connecting(unix: options.path)
        #expect(ask(server, peer, [0, 0x36, 0x04, 2], count: 4) == [0, 2, 50, 0])
        #expect(ask(server, peer, [0, 0x18, 0x0F, 1], count: 3) == [0, 1, 0x33])
    }

    @Test("A dead server's socket file is replaced, a living one's is not; stop removes it")
    func socketFile() throws {
        let (server, path) = try server("file", "still 60")
        #expect(throws: BenchFailure.self) {
            _ = try AccelerometerServer(MotionScript([]), options: .init(path: path), emit: { _ in })
        }
        server.receive(.stop)
        #expect(server.isStopped && access(path, F_OK) != 0)
    }
}
