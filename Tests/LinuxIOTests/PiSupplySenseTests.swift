import LinuxIO
import Testing

@Suite("A Pi's word on its supply")
struct PiSupplySenseTests {
    private func sense(_ files: [String: String]) -> Bool? {
        let directory = TemporaryDirectory()
        for (name, text) in files { directory.put(name, text) }
        return PiSupplySense(hwmonPath: directory.file("hwmon"), throttledPath: directory.file("throttled"))
            .isUnderVoltage()
    }

    @Test("The chip named rpi_volt tells, wherever it is among the others")
    func hwmon() {
        let other = ["hwmon/hwmon0/name": "cpu_thermal\n", "hwmon/hwmon0/in0_lcrit_alarm": "1\n"]
        let alarm = ["hwmon/hwmon1/name": "rpi_volt\n", "hwmon/hwmon1/in0_lcrit_alarm": "1\n"]
        let fine = ["hwmon/hwmon1/name": "rpi_volt\n", "hwmon/hwmon1/in0_lcrit_alarm": "0\n"]
        #expect(sense(other) == nil)
        #expect(sense(other.merging(alarm) { $1 }) == true)
        #expect(sense(other.merging(fine) { $1 }) == false)
        #expect(sense(fine.merging(["throttled": "50005\n"]) { $1 }) == false, "the kernel's word comes first")
    }

    @Test(
        "Without it the firmware's lowest bit tells of now; what was since the boot does not count",
        arguments: [
            ("50005\n", Bool?.some(true)), ("50000\n", false), ("0", false), ("1", true), ("x", nil), ("", nil),
        ])
    func throttled(text: String, expected: Bool?) { #expect(sense(["throttled": text]) == expected) }

    @Test("Another board says nothing")
    func nothing() { #expect(sense([:]) == nil) }
}
