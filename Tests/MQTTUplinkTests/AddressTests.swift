import Ports
import Testing

@testable import MQTTUplink

@Suite("Addresses and credentials of brokers")
struct AddressTests {
    @Test("Host, port, security and topic of an address")
    func addresses() throws {
        let cases: [(String, String, Int, Bool, String?)] = [
            ("mqtt://broker.example", "broker.example", 1_883, false, nil),
            ("mqtts://broker.example/", "broker.example", 8_883, true, nil),
            (
                "mqtts://broker.example:443/owntracks/depot/cart-07", "broker.example", 443, true,
                "owntracks/depot/cart-07"
            ),
            ("mqtt://[::1]/a", "::1", 1_883, false, "a"), ("mqtt://[::1]:2947/a", "::1", 2_947, false, "a"),
        ]
        for (text, host, port, isSecure, topic) in cases {
            let address = try #require(MQTTAddress(text), "\(text)")
            #expect(address.host == host && address.port == port, "\(text)")
            #expect(address.isSecure == isSecure && address.topic == topic, "\(text)")
        }
    }

    @Test(
        "What is no address of a broker",
        arguments: [
            "", "https://h/t", "mqtt://", "mqtt:///t", "mqtt://h:0/t", "mqtt://h:x/t", "mqtt://h/a/+/b", "mqtt://h/#",
            "mqtt://u:p@h/t", "mqtt://h/a b", "mqtt://[::1/t", "MQTT://h/t",
        ])
    func refused(text: String) { #expect(MQTTAddress(text) == nil) }

    @Test("Name and password of a Basic header; anything else is no credential")
    func credentials() {
        func read(_ value: String) -> [String]? {
            BasicCredential([.init(name: "Authorization", value: value)]).map { [$0.user, $0.password] }
        }
        #expect(read("Basic dXNlcjpwYXNz") == ["user", "pass"])
        #expect(read("basic  dTpwOnE=") == ["u", "p:q"])
        #expect(read("Basic dXNlcjo=") == ["user", ""])
        for other in ["Bearer abc", "Basic", "Basic !!!", "Basic dXNlcg==", "Basic //79"] {
            #expect(read(other) == nil)
        }
        #expect(BasicCredential([]) == nil)
    }
}
