/// What a UART reads when the other end sends at another rate.
enum LineGarble {
    /// Samples the wave of `bytes` (8N1, least significant bit first, idle after the last) as a UART at `readBaud` does:
    /// it waits for the line to fall, looks at the middle of each of its own bits, and delivers the eight it saw even
    /// when the stop bit is wrong. So a slower reader gets fewer bytes and a faster one up to five for each, and rates
    /// within some 4 % understand each other, as on the bench.
    static func read(_ bytes: [UInt8], sentAt sendBaud: Int, readAt readBaud: Int) -> [UInt8] {
        guard sendBaud != readBaud, sendBaud > 0, readBaud > 0 else { return bytes }
        let wave = bytes.flatMap { byte -> [Bool] in [false] + (0..<8).map { byte >> $0 & 1 == 1 } + [true] }
        // Sent bits for each read bit.
        let step = Double(sendBaud) / Double(readBaud)
        func level(_ time: Double) -> Bool { time < Double(wave.count) ? wave[Int(time)] : true }
        var heard: [UInt8] = []
        var time = 0.0
        while let start = nextFall(wave, from: time) {
            var byte: UInt8 = 0
            for bit in 0..<8 where level(start + (Double(bit) + 1.5) * step) { byte |= 1 << bit }
            heard.append(byte)
            time = start + 9.5 * step
        }
        return heard
    }

    /// The next moment the line is low after it was high; a line that is low at the middle of the stop bit must rise
    /// first.
    private static func nextFall(_ wave: [Bool], from time: Double) -> Double? {
        if time == 0 { return wave.isEmpty ? nil : 0 }
        guard time < Double(wave.count) else { return nil }
        var index = Int(time)
        while index < wave.count, !wave[index] { index += 1 }
        while index < wave.count, wave[index] { index += 1 }
        return index < wave.count ? Double(index) : nil
    }
}
