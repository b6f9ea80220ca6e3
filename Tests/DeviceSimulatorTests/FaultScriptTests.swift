import Testing
import TrackerModel

@testable import DeviceSimulator

@Suite("Fault scripts")
struct FaultScriptTests {
    @Test("A script is read in any order, with values, durations and comments")
    func reading() throws {
        let script = try FaultScript(
            text: """
                # a bad day
                60 lose 500 for 30
                0.5 garbage-on-open
                \t10  restart 4800   # forgets
                20 unplug
                """)
        let expected: [ReceiverFault] = [
            ReceiverFault(.garbageOnOpen, value: 32, atMillis: 500),
            ReceiverFault(.restart, value: 4_800, atMillis: 10_000),
            ReceiverFault(.unplug, atMillis: 20_000, forMillis: 8_000),
            ReceiverFault(.lose, value: 500, atMillis: 60_000, forMillis: 30_000),
        ]
        #expect(script.faults == expected)
        #expect(
            script.isActive(.lose, at: Instant(millis: 89_999)) && !script.isActive(.lose, at: Instant(millis: 90_000)))
        #expect(script.isActive(.garbageOnOpen, at: Instant(millis: 1_000_000)))
    }

    @Test(
        "A mistake is refused with its line",
        arguments: [
            "silence", "x silence", "-1 silence", "1e9 silence", "5 sillence", "5 silence 3", "5 silence for",
            "5 silence for x", "5 silence for 3 4", "5 console for 3", "5 lose 0", "5 lose many", "5 lose 3 4",
            "5 hdop 100", "5 silence fur 3",
        ])
    func mistakes(line: String) {
        do throws(ScriptFailure) {
            _ = try FaultScript(text: "# first\n" + line + "\n")
            Issue.record("\(line) was taken")
        } catch {
            #expect(error.line == 2 && !error.message.isEmpty)
        }
    }

    @Test("Every word takes its usual value", arguments: ReceiverFault.Kind.allCases)
    func words(kind: ReceiverFault.Kind) throws {
        let fault = try #require(try FaultScript(text: "1 \(kind.rawValue)").faults.first)
        #expect(fault.kind == kind)
        #expect(kind.range.contains(fault.value))
    }
}
