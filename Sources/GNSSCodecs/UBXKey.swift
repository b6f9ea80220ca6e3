/// A configuration item of protocol 27 and later; its size is part of its identifier (interface description of
/// u-blox 9 and 10, "Configuration items").
public struct UBXKey: Equatable, Sendable {
    public let id: UInt32

    public init(id: UInt32) { self.id = id }

    /// Bytes of the value on the wire; `nil` for a size code that does not exist.
    public var valueLength: Int? {
        switch id >> 28 & 7 {
        case 1, 2: 1
        case 3: 2
        case 4: 4
        case 5: 8
        default: nil
        }
    }

    public static let uart1Baud = UBXKey(id: 0x4052_0001)
    public static let uart1OutputUBX = UBXKey(id: 0x1074_0001)
    public static let uart1OutputNMEA = UBXKey(id: 0x1074_0002)
    /// Milliseconds between measurements.
    public static let measurementInterval = UBXKey(id: 0x3021_0001)

    /// 0 without a break, 1 on and off, 2 cyclic tracking (integration manual of the MAX-M10S, §2.7.2).
    public static let powerMode = UBXKey(id: 0x20D0_0001)
    /// Seconds of tracking without a break before the cycles begin.
    public static let powerOnTime = UBXKey(id: 0x30D0_0005)
    /// Without a fix it goes on searching.
    public static let powerStaysOn = UBXKey(id: 0x10D0_0008)

    // How often a message is sent on UART 1: every n-th solution, 0 never.
    public static let uart1NavPVT = UBXKey(id: 0x2091_0007)
    public static let uart1NavSTATUS = UBXKey(id: 0x2091_001B)
    public static let uart1MonRF = UBXKey(id: 0x2091_035A)
    public static let uart1RMC = UBXKey(id: 0x2091_00AC)
    public static let uart1VTG = UBXKey(id: 0x2091_00B1)
    public static let uart1GGA = UBXKey(id: 0x2091_00BB)
    public static let uart1GSA = UBXKey(id: 0x2091_00C0)
    public static let uart1GSV = UBXKey(id: 0x2091_00C5)
    public static let uart1GLL = UBXKey(id: 0x2091_00CA)
    public static let uart1GST = UBXKey(id: 0x2091_00D4)
}
