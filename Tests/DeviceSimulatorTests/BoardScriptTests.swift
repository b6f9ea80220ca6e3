import Testing

@testable import DeviceSimulator

@Suite("The script of a whole board")
struct BoardScriptTests {
    @Test("Each line goes to its device, and receiver and accelerometer share the journey")
    func lines() throws {
        let board = try BoardScript(
            text: """
                # a delivery
                journey delivery 7
                receiver ublox10 warm
                receiver 600 silence for 60
                accelerometer adxl345
                accelerometer 900 nak for 5
                modem 12 no-lte reset
                battery 3000 80
                drain 200 3600
                charge 2500 7200
                """)
        #expect(board.journey.name == "delivery" && board.journey.seed == 7 && board.receiver.seed == 7)
        #expect(board.receiver.family == .ublox10 && board.receiver.start == .warm)
        #expect(board.receiver.faults.faults.map(\.kind) == [.silence])
        #expect(board.chip == .adxl345 && board.chipFaults.map(\.kind) == [.nak])
        #expect(board.modem?.signal == 12 && board.modem?.faults == [.noLTE] && board.modem?.cure == .reset)
        #expect(board.battery.percent == 80 && board.battery.segments.count == 2)
    }

    @Test(
        "What is not understood is refused with its line",
        arguments: [
            ("battery 3000 80\n", 0), ("journey delivery\n", 0), ("journey nowhere\n", 1),
            ("journey delivery\nreceiver garmin\n", 2), ("journey delivery\n\nreceiver 600 explode\n", 3),
            ("journey delivery\nbattery 1 2\naccelerometer 5 silence\n", 3), ("radio 5\n", 1),
            ("journey delivery\nmodem loud\n", 2), ("journey delivery\nbattery 0 2\n", 2),
        ])
    func refused(_ text: String, _ line: Int) {
        do throws(ScriptFailure) {
            _ = try BoardScript(text: text)
            Issue.record("taken: \(text)")
        } catch { #expect(error.line == line, "\(error)") }
    }

    @Test("Without a script there is a usual board")
    func usual() throws {
        let board = try BoardScript(text: BoardScript.usual)
        #expect(board.modem == nil && board.receiver.family == .ublox8)
    }
}
