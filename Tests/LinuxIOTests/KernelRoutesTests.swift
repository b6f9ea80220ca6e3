import Foundation
import Ports
import Testing
import TrackerModel

@testable import LinuxIO

@Suite("The default route")
struct KernelRoutesTests {
    @Test(
        "It is read from the kernel's tables, the lowest metric first",
        arguments: [
            ("", nil),
            ("Iface\tDestination\tGateway\tFlags\tRefCnt\tUse\tMetric\tMask\tMTU\tWindow\tIRTT\n", nil),
            ("eth0\t000200C0\t00000000\t0001\t0\t0\t0\t00FFFFFF\t0\t0\t0\n", nil),
            ("eth0\t00000000\t010200C0\t0003\t0\t0\t0\t00000000\t0\t0\t0\n", "eth0"),
            ("eth0\t00000000\t010200C0\t0202\t0\t0\t0\t00000000\t0\t0\t0\n", nil),
            (
                "wwan0\t00000000\t010200C0\t0003\t0\t0\t700\t00000000\t0\t0\t0\n"
                    + "wlan0\t00000000\t010200C0\t0003\t0\t0\t600\t00000000\t0\t0\t0\n", "wlan0"
            ), ("eth0\t00000000\n\nx y z", nil),
        ] as [(String, String?)])
    func fourth(table: String, expected: String?) { #expect(KernelRoutes.fourth(table) == expected) }

    @Test("With link.interface set no other's route counts")
    func named() {
        let table =
            "wwan0\t00000000\t010200C0\t0003\t0\t0\t700\t00000000\t0\t0\t0\n"
            + "wlan0\t00000000\t010200C0\t0003\t0\t0\t600\t00000000\t0\t0\t0\n"
        #expect(KernelRoutes.fourth(table, of: "wwan0") == "wwan0")
        #expect(KernelRoutes.fourth(table, of: "eth0") == nil)
    }

    @Test("IPv6 alone is a route too; the loopback's refusal is none")
    func sixth() {
        let zeros = String(repeating: "0", count: 32)
        let refusal = "\(zeros) 00 \(zeros) 00 \(zeros) ffffffff 00000001 00000000 00200200       lo\n"
        let route = "\(zeros) 00 \(zeros) 00 fe80\(zeros.dropFirst(4)) 00000400 00000001 00000000 00000003     eth0\n"
        #expect(KernelRoutes.sixth(refusal) == nil)
        #expect(KernelRoutes.sixth(refusal + route) == "eth0")
    }

    @Test("An interface that is not there does not run; the loopback of a host does")
    func running() {
        #expect(!KernelRoutes.runs("no-such0"))
        #expect(KernelRoutes.runs("lo"))
    }

    @Test(
        "In a network of its own: no route, a route, its cable pulled and put back, each of them told",
        .enabled(if: PrivateNetwork.isPossible, "needs root and ip(8)"))
    func cable() throws {
        #expect(Worker { PrivateNetwork.stepsTold() }.wait() == 3)
    }
}

/// A network namespace that one thread has for itself, with a pair of interfaces as a cable.
private enum PrivateNetwork {
    static let isPossible = getuid() == 0 && Worker { unshare() && ip("link show") }.wait() == true

    /// `unshare(CLONE_NEWNET)`: for the calling thread alone.
    private static func unshare() -> Bool {
        typealias Call = @convention(c) (Int32) -> Int32
        guard let symbol = dlsym(nil, "unshare") else { return false }
        return unsafeBitCast(symbol, to: Call.self)(0x4000_0000) == 0
    }

    /// How many of the steps were seen to lead to what they lead to.
    static func stepsTold() -> Int {
        guard unshare(), let reactor = try? LinuxReactor() else { return 0 }
        let routes = KernelRoutes(reactor: reactor, tables: "/proc/thread-self/net")
        defer { routes.close() }
        guard routes.reading == LinkReading() else { return 0 }
        var told = 0
        // Each when what the one before leads to was told.
        var steps: [(commands: [String], leadsTo: LinkReading)] = [
            (
                [
                    "link add cable0 type veth peer name far0", "addr add 192.0.2.2/24 dev cable0",
                    "link set far0 up", "link set cable0 up", "route add default via 192.0.2.1",
                ], LinkReading(route: "cable0")
            ), (["link set far0 down"], LinkReading(route: "cable0", hasCarrier: false)),
            (["link set far0 up"], LinkReading(route: "cable0")),
        ]
        func next() {
            guard let step = steps.first else { return reactor.stop() }
            for command in step.commands where !ip(command) { return reactor.stop() }
        }
        routes.watch {
            guard let step = steps.first, routes.reading == step.leadsTo else { return }
            steps.removeFirst()
            told += 1
            next()
        }
        next()
        try? Loop.run(reactor)
        return told
    }

    /// Not `Process`: it wants a loopback, which a fresh namespace has not brought up.
    private static func ip(_ words: String) -> Bool { system("ip \(words) >/dev/null 2>&1") == 0 }
}
