import Testing
import TrackerModel

@testable import DeviceSimulator

@Suite("What feeds a simulated board")
struct BoardSupplyTests {
    private let nothing = BoardSupply.Load(receiverIsAwake: false, modemIsOn: false)
    private let modem = BoardSupply.Load(receiverIsAwake: true, modemIsOn: true)

    private func at(_ seconds: Int64) -> Instant { Instant(millis: seconds * 1_000) }

    private func supply(_ script: String) throws -> BoardSupply { BoardSupply(try BatteryScript(text: script)) }

    @Test("What runs drains it, and the time it ran is counted")
    func drain() throws {
        var supply = try supply("battery 1000 50\n")
        supply.advance(to: at(600), modem)
        supply.advance(to: at(1_200), nothing)
        supply.advance(to: at(1_800), nothing)
        // 600 mW for half an hour; 90 and 1 600 mW for the first minute of ten, then 115.
        let (receiver, modem): (Double, Double) = (90 * 600, 1_600 * 60 + 115 * 540)
        let used = 300 + (receiver + modem) / 3_600
        #expect(abs(supply.battery.milliwattHours - (500 - used)) < 1)
        #expect(supply.receiverMillis == 600_000 && supply.modemMillis == 600_000)
    }

    @Test("A modem on a flat cell cuts the board off; it is back when nothing draws, after its delay (F-65)")
    func cut() throws {
        var supply = try supply("battery 3000 4.6\n")
        supply.advance(to: at(10), modem)
        #expect(supply.state == .cut && supply.cuts == 1)
        supply.advance(to: at(12), nothing)
        #expect(!supply.isOn)
        supply.advance(to: at(16), nothing)
        #expect(supply.isOn)
    }

    @Test("Switched off by the host it waits for a charger")
    func off() throws {
        var supply = try supply("battery 3000 20\ndrain 0 3600\ncharge 2000 3600\n")
        supply.hostSwitched(isOn: false)
        supply.advance(to: at(3_500), nothing)
        let before = supply.battery.milliwattHours
        #expect(supply.state == .off && abs(before - 600) < 1)
        supply.advance(to: at(3_700), nothing)
        #expect(supply.isOn)
        #expect(supply.battery.milliwattHours > before + 40, "the charger came at 3600 s, not at the look")
    }
}
