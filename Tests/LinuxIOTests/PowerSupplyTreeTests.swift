import Ports
import Testing
import TrackerModel

@testable import LinuxIO

@Suite("Battery and supplies")
struct PowerSupplyTreeTests {
    private func reading(_ files: [String: String]) -> BatteryReading {
        let directory = TemporaryDirectory()
        for (name, text) in files { directory.put(name, text) }
        return PowerSupplyTree(path: directory.path).read()
    }

    @Test("A discharging battery beside a supply that is off")
    func discharging() {
        let reading = reading([
            "BAT0/type": "Battery\n", "BAT0/capacity": "57\n", "BAT0/status": "Discharging\n",
            "BAT0/voltage_now": "3700123\n", "BAT0/current_now": "120345\n", "AC/type": "Mains\n", "AC/online": "0\n",
        ])
        #expect(
            reading
                == BatteryReading(
                    percent: 57, isCharging: false, supply: PowerSource.none, voltageMV: 3_700, currentMA: -120))
    }

    @Test(
        "The status says whether it charges, or nothing",
        arguments: [
            ("Charging", Bool?.some(true)), ("Full", true), ("Discharging", false), ("Not charging", false),
            ("Unknown", nil), ("", nil),
        ])
    func status(text: String, expected: Bool?) {
        let reading = reading(["b/type": "Battery", "b/capacity": "50", "b/status": text])
        #expect(reading.isCharging == expected)
    }

    @Test(
        "A capacity that cannot be is unknown, never 0",
        arguments: [("0", Int?.none), ("1", 1), ("100", 100), ("101", nil), ("-5", nil), ("many", nil), ("", nil)])
    func capacity(text: String, expected: Int?) {
        let reading = reading(["b/type": "Battery\n", "b/capacity": text + "\n", "b/voltage_now": "3700000\n"])
        #expect(reading.percent == expected)
        #expect(reading.voltageMV == 3_700)
    }

    @Test("A voltage that cannot be is unknown", arguments: ["0", "-1", "999999999999", "x"])
    func voltage(text: String) {
        let reading = reading(["b/type": "Battery", "b/capacity": "50", "b/voltage_now": text])
        #expect(reading.voltageMV == nil)
    }

    @Test("The first battery that tells something is taken; a mouse's is not")
    func firstReadable() {
        let reading = reading([
            "a-mouse/type": "Battery", "a-mouse/scope": "Device", "a-mouse/capacity": "11",
            "b-empty/type": "Battery", "c-gauge/type": "Battery", "c-gauge/capacity": "42",
            "d-other/type": "Battery", "d-other/capacity": "99",
        ])
        #expect(reading.percent == 42)
    }

    @Test("Any supply that is online counts, of either kind")
    func supplies() {
        #expect(
            reading(["ac/type": "Mains", "ac/online": "1", "u/type": "USB", "u/online": "0"]).supply == .ac)
        #expect(reading(["u/type": "USB_PD", "u/online": "2"]).supply == .usb)
        #expect(reading(["u/type": "USB", "u/online": "no"]).supply == .unknown)
        #expect(reading(["w/type": "UPS", "w/online": "1"]).supply == .unknown)
    }

    @Test("No tree, no battery: all unknown")
    func nothing() {
        #expect(PowerSupplyTree(path: "/no/such/tree").read() == .unknown)
        #expect(reading([:]) == .unknown)
        #expect(PowerSupplyTree().isRealDevice)
        #expect(!PowerSupplyTree(path: "/tmp").isRealDevice)
    }
}
