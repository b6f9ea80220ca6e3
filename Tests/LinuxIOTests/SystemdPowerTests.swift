import LinuxIO
import Testing

@Suite("Switching the host off")
struct SystemdPowerTests {
    /// What went wrong with a harmless command in systemctl's place.
    private func problem(_ command: [String]) throws -> String? {
        let reactor = try LinuxReactor()
        let power = SystemdPower(reactor: reactor, command: command)
        var problem: String?
        power.powerOff {
            problem = $0
            reactor.stop()
        }
        if problem == nil { try Loop.run(reactor, limitMillis: 2_000) }
        return problem
    }

    @Test("A request that is taken is no problem")
    func taken() throws { #expect(try problem(["/bin/true"]) == nil) }

    @Test("One that is refused says how it ended, and what to do")
    func refused() throws {
        let text = try #require(try problem(["/bin/sh", "-c", "exit 3"]))
        #expect(text.contains("ended with status 3") && text.contains("org.freedesktop.login1.power-off"))
    }

    @Test("A missing systemctl is told at once")
    func missing() throws {
        let text = try #require(try problem(["/no/such/systemctl", "poweroff"]))
        #expect(text.contains("/no/such/systemctl: No such file"))
    }
}
