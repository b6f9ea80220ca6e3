/// Register addresses of the LIS3DH (ST DocID17530 Rev 2, register mapping).
enum LIS3DHRegister {
    static let whoAmI: UInt8 = 0x0F
    static let control0: UInt8 = 0x1E
    static let control1: UInt8 = 0x20
    static let control2: UInt8 = 0x21
    static let control4: UInt8 = 0x23
    static let control5: UInt8 = 0x24
    static let reference: UInt8 = 0x26
    static let status: UInt8 = 0x27
    static let outXLow: UInt8 = 0x28
    static let outZHigh: UInt8 = 0x2D
    static let fifoControl: UInt8 = 0x2E
    static let fifoSource: UInt8 = 0x2F
    static let int1Config: UInt8 = 0x30
    static let int1Source: UInt8 = 0x31
    static let int1Threshold: UInt8 = 0x32
    static let int1Duration: UInt8 = 0x33
    static let int2Source: UInt8 = 0x35
    static let clickSource: UInt8 = 0x39
    static let last: UInt8 = 0x3F

    /// Writes to these change something; writes to others are acknowledged and ignored.
    static func isWritable(_ register: UInt8) -> Bool {
        switch register {
        case control0...reference, fifoControl, int1Config: true
        case int1Threshold...last: register != int2Source && register != clickSource
        default: false
        }
    }

    /// Content after power-on: WHO_AM_I 0x33, CTRL_REG0 0x10, CTRL_REG1 0x07 (axes on, power-down), all others 0.
    static func powerOnContent() -> [UInt8] {
        var content = [UInt8](repeating: 0, count: 128)
        content[Int(whoAmI)] = 0x33
        content[Int(control0)] = 0x10
        content[Int(control1)] = 0x07
        return content
    }
}
