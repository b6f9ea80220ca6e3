// swift-tools-version: 6.0
import PackageDescription

// The layers, bottom to top, are drawn in docs/notes/01-layers.md; scripts/check-imports holds each
// target to its row. Names in `cShim` are system libraries or headers, from the distribution.
let strict: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    // Each function by itself, so that the linker leaves out what nobody calls: 0.4 MB.
    .unsafeFlags(["-Xfrontend", "-function-sections"], .when(configuration: .release)),
]

func layer(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .target(name: name, dependencies: dependencies, swiftSettings: strict)
}

func tool(
    _ name: String, _ dependencies: [Target.Dependency], path: String? = nil, linking: [LinkerSetting] = []
) -> Target {
    .executableTarget(
        name: name, dependencies: dependencies, path: path, swiftSettings: strict, linkerSettings: linking)
}

// The linker that comes with every toolchain: relocations as a bitmap (glibc 2.36, which Debian 12 has) and equal functions
// once are 0.7 MB less of the daemon.
// In .build/static scripts/build puts the archive of the C++ library, of which the Swift runtime needs little: 0.6 MB less.
// The symbol that is exported is of Sources/HTTPUplink/CurlUplink.swift.
let packed: [LinkerSetting] = [
    .unsafeFlags(
        [
            "-use-ld=lld", "-L\(Context.packageDirectory)/.build/static", "-Xlinker", "-z", "-Xlinker",
            "pack-relative-relocs", "-Xlinker", "--icf=safe", "-Xlinker",
            "--export-dynamic-symbol=_gnutls_global_init_skip",
        ],
        .when(configuration: .release))
]

func tests(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .testTarget(name: name, dependencies: dependencies + ["TestKit"], swiftSettings: strict)
}

let package = Package(
    name: "tracker",
    products: [
        .executable(name: "tracker", targets: ["tracker"]),
        .executable(name: "tracker-sim", targets: ["tracker-sim"]),
    ],
    targets: [
        // C shims: inline functions where Swift cannot call (varargs, macros), else only a module map.
        .target(name: "CLinux"),
        .systemLibrary(name: "CSerialPort", pkgConfig: "libserialport", providers: [.apt(["libserialport-dev"])]),
        .systemLibrary(name: "CGpiod", pkgConfig: "libgpiod", providers: [.apt(["libgpiod-dev"])]),
        .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
        .systemLibrary(name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        .systemLibrary(name: "CMosquitto", pkgConfig: "libmosquitto", providers: [.apt(["libmosquitto-dev"])]),
        .systemLibrary(name: "CYaml", pkgConfig: "yaml-0.1", providers: [.apt(["libyaml-dev"])]),
        .systemLibrary(name: "CSystemd", pkgConfig: "libsystemd", providers: [.apt(["libsystemd-dev"])]),
        .systemLibrary(name: "CCrypto", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),

        // Pure and synchronous.
        layer("TrackerModel", []),
        layer("TrackerGeo", ["TrackerModel"]),
        layer("WireText", ["TrackerModel"]),
        layer("GNSSCodecs", ["TrackerModel", "WireText"]),
        layer("Recordings", ["TrackerModel", "WireText"]),
        layer("MotionSensing", ["TrackerModel"]),
        layer("TrackerEngine", ["TrackerModel", "TrackerGeo"]),
        layer("SyncEngine", ["TrackerModel", "WireText"]),
        layer("ModemControl", ["TrackerModel"]),
        layer("TrackJudge", ["TrackerModel", "TrackerGeo", "WireText"]),

        // The loop, and what it needs from outside.
        layer("Ports", ["TrackerModel"]),
        layer(
            "TrackerRuntime",
            [
                "TrackerModel", "TrackerGeo", "WireText", "GNSSCodecs", "Recordings", "MotionSensing", "TrackerEngine",
                "SyncEngine", "ModemControl", "Ports",
            ]),

        // Adapters: one C library each.
        layer(
            "LinuxIO",
            ["Ports", "TrackerModel", "WireText", "CLinux", "CSerialPort", "CGpiod", "CSystemd", "CCrypto"]),
        layer("TrackerStore", ["Ports", "TrackerModel", "WireText", "CSQLite"]),
        layer("HTTPUplink", ["Ports", "TrackerModel", "CCurl", "CZlib"]),
        layer("MQTTUplink", ["Ports", "CMosquitto"]),
        layer("ConfigFile", ["Ports", "TrackerModel", "CYaml"]),

        // The bench: never installed on a device.
        layer(
            "DeviceSimulator", ["TrackerModel", "TrackerGeo", "WireText", "GNSSCodecs", "Ports", "CLinux", "CZlib"]),

        tool(
            "tracker",
            [
                "TrackerModel", "TrackerGeo", "WireText", "GNSSCodecs", "Recordings", "TrackerEngine", "Ports",
                "TrackerRuntime", "LinuxIO", "TrackerStore", "HTTPUplink", "MQTTUplink", "ConfigFile", "CLinux",
                "TrackJudge",
            ], linking: packed),
        tool("tracker-sim", ["DeviceSimulator", "TrackerModel", "WireText", "CLinux"]),

        // What `make bench` and `make fuzz` run: never installed on a device.
        .target(name: "CAllocationCount", path: "Benchmarks/CAllocationCount"),
        tool(
            "tracker-bench",
            [
                "GNSSCodecs", "WireText", "TrackerModel", "MotionSensing", "TrackerEngine", "SyncEngine", "Ports",
                "LinuxIO", "HTTPUplink", "TrackerStore", "DeviceSimulator", "CAllocationCount", "CLinux",
            ],
            path: "Benchmarks/tracker-bench"),
        // What `make frontier` runs: two weeks of devices in simulated time, this policy beside others.
        .target(
            name: "Frontier",
            dependencies: [
                "TrackerRuntime", "TrackerStore", "DeviceSimulator", "LinuxIO", "SyncEngine", "TrackerEngine",
                "TrackJudge", "WireText", "Ports", "TrackerModel", "TrackerGeo",
            ],
            path: "Benchmarks/Frontier", swiftSettings: strict),
        tool("tracker-frontier", ["Frontier", "WireText"], path: "Benchmarks/tracker-frontier"),
        .target(name: "CLibFuzzer", path: "Fuzz/CLibFuzzer"),
        tool(
            "tracker-fuzz",
            [
                "GNSSCodecs", "WireText", "TrackerModel", "ConfigFile", "TrackerRuntime", "Ports", "CLinux",
                "CLibFuzzer",
            ],
            path: "Fuzz/tracker-fuzz"),

        .target(
            name: "TestKit", dependencies: ["TrackerModel", "WireText", "Ports"], path: "Tests/TestKit",
            swiftSettings: strict),
        tests("TrackerGeoTests", ["TrackerGeo", "TrackerModel"]),
        tests("WireTextTests", ["WireText"]),
        tests("GNSSCodecsTests", ["GNSSCodecs", "TrackerModel"]),
        tests("RecordingsTests", ["Recordings", "WireText", "TrackerModel"]),
        tests("MotionSensingTests", ["MotionSensing", "TrackerModel"]),
        tests("TrackerEngineTests", ["TrackerEngine", "DeviceSimulator", "TrackerModel", "TrackerGeo"]),
        tests(
            "AcceptanceTests",
            [
                "TrackerRuntime", "SyncEngine", "TrackJudge", "TrackerEngine", "MotionSensing", "Recordings",
                "DeviceSimulator", "WireText", "Ports", "TrackerModel", "TrackerGeo",
            ]),
        tests(
            "CorpusTests",
            [
                "TrackerRuntime", "MotionSensing", "Recordings", "DeviceSimulator", "WireText", "Ports", "TrackerModel",
            ]),
        tests(
            "FrontierTests",
            ["Frontier", "DeviceSimulator", "WireText", "TrackerModel", "TrackerEngine", "TrackerRuntime"]),
        tests("ModemControlTests", ["ModemControl", "DeviceSimulator", "TrackerModel"]),
        tests("SyncEngineTests", ["SyncEngine", "TrackerModel", "WireText"]),
        tests("TrackJudgeTests", ["TrackJudge", "TrackerModel", "TrackerGeo", "WireText"]),
        tests(
            "TrackerRuntimeTests",
            [
                "TrackerRuntime", "TrackerModel", "TrackerEngine", "SyncEngine", "WireText", "GNSSCodecs", "Ports",
                "DeviceSimulator",
            ]),
        // In the test bundle these stand in for libgpiod: a board that tests can rule.
        .target(
            name: "CGpiodStub", dependencies: ["CGpiod"], path: "Tests/CGpiodStub",
            exclude: ["generation1", "generation2", "shim_test.c"]),
        tests("LinuxIOTests", ["LinuxIO", "Ports", "TrackerModel", "CLinux", "CGpiodStub"]),
        tests("TrackerStoreTests", ["TrackerStore", "Ports", "TrackerModel"]),
        tests("HTTPUplinkTests", ["HTTPUplink", "Ports", "TrackerModel", "CLinux"]),
        tests("MQTTUplinkTests", ["MQTTUplink", "Ports", "TrackerModel", "CLinux"]),
        tests("ConfigFileTests", ["ConfigFile", "Ports"]),
        tests(
            "DeviceSimulatorTests",
            ["DeviceSimulator", "GNSSCodecs", "WireText", "Ports", "TrackerModel", "TrackerGeo", "CLinux"]),
        tests(
            "ReplayTests",
            [
                "TrackerRuntime", "TrackerStore", "DeviceSimulator", "LinuxIO", "GNSSCodecs", "Recordings",
                "MotionSensing", "TrackerEngine", "WireText", "Ports", "TrackerModel",
            ]),
    ],
    swiftLanguageModes: [.v6]
)
