/// One decoder of bytes from outside, and what must hold for all bytes.
enum FuzzTarget: String, CaseIterable {
    /// The receiver's line: NMEA, UBX, RTCM and anything else.
    case gnss
    /// The control socket, the store's state texts.
    case json
    /// The configuration file.
    case yaml

    /// Ends the program when a property does not hold.
    func check(_ bytes: UnsafeBufferPointer<UInt8>) {
        switch self {
        case .gnss: GNSSProperties.check(bytes)
        case .json: JSONProperties.check(Array(bytes))
        case .yaml: YAMLProperties.check(Array(bytes))
        }
    }
}

/// Ends the program, with a text that says which property does not hold.
func require(_ holds: Bool, _ property: @autoclosure () -> String) {
    if !holds { fatalError("property broken: \(property())") }
}
