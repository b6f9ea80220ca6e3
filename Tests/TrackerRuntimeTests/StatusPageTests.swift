import Testing
import TrackerRuntime
import WireText

@Suite("Status page")
struct StatusPageTests {
    @Test("The page shows what there is and leaves out what is not known")
    func page() throws {
        let snapshot = try JSONReader.parse(
            #"{"service":{"state":"running","version":"1","uptimeSec":439,"timeScale":1,"warnings":["a key"]},"#
                + #""receiver":{"state":"silent","problem":"nothing arrives; check the cable"},"#
                + #""position":{"latitude":47.1,"longitude":-8.0000001},"queue":{"pending":3},"power":{"tier":"normal","known":false}}"#
        )
        let text = StatusPage.text(snapshot)
        #expect(text.contains("running, version 1, up 7 min 19 s\n"))
        #expect(text.contains("warning") && text.contains("a key"))
        #expect(text.contains("nothing arrives; check the cable"))
        #expect(text.contains("47.1000000, -8.0000001"))
        #expect(text.contains("battery unknown"))
        #expect(text.contains("session        none, device-cli start opens one\n") && !text.contains("null"))
    }

    @Test("An empty snapshot is a short page, not a crash")
    func empty() {
        #expect(StatusPage.text(.object([:])).contains("clock          not trusted yet\n"))
        #expect(StatusPage.text(.null).isEmpty == false)
    }

    @Test(
        "Durations for people",
        arguments: [(0.4, "0.4 s"), (59, "59 s"), (61, "1 min 1 s"), (11_045, "3 h 4 min"), (190_800, "2 d 5 h")])
    func durations(seconds: Double, text: String) { #expect(StatusPage.duration(seconds) == text) }
}
