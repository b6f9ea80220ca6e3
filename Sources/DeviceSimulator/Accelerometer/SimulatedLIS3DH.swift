public import TrackerModel

/// An LIS3DH or LIS2DH12 accelerometer at register level (ST DocID17530 Rev 2).
///
/// Modelled: data rates to 400 Hz, the three resolutions, ranges, FIFO and stream mode, data-ready and overrun flags,
/// the high-pass filter, and the threshold interrupt 1 with duration and latch. Registers of click, activity and
/// interrupt 2 hold what is written and never fire. The output registers are stable during one transfer.
public struct SimulatedLIS3DH: SimulatedChip {
    let motion: any AccelerationSource
    var registers = LIS3DHRegister.powerOnContent()
    var fifo = LIS3DHFifo()
    var output = RawSample()
    var filter = HighPassFilter()
    /// Axes (bit 0 x … bit 2 z) with unread data, and with data that was overwritten unread.
    var unreadAxes: UInt8 = 0
    var overrunAxes: UInt8 = 0
    var int1Source: UInt8 = 0
    /// Samples in a row that met the condition of interrupt 1.
    var int1Run = 0
    private var clock = SampleClock()
    private var bootEnds: Instant?

    public init(motion: any AccelerationSource) { self.motion = motion }

    public var identityRegister: UInt8 { LIS3DHRegister.whoAmI }
    /// INT1, as CTRL_REG3 routes interrupt 1 to it.
    public var isInterrupting: Bool { registers[0x22] & 0x40 != 0 && int1Source & 0x40 != 0 }

    /// Bit 7 of `register` increments the address after every byte.
    public mutating func read(_ register: UInt8, count: Int, at now: Instant) -> [UInt8] {
        advance(to: now)
        var address = register & 0x7F
        var bytes: [UInt8] = []
        for _ in 0..<count {
            bytes.append(take(address))
            if register & 0x80 != 0 { address = following(address) }
        }
        return bytes
    }

    public mutating func write(_ register: UInt8, _ value: UInt8, at now: Instant) {
        advance(to: now)
        let address = register & 0x7F
        guard LIS3DHRegister.isWritable(address) else { return }
        registers[Int(address)] = value
        clock.set(samplePeriodNanos, at: now)
        switch address {
        case LIS3DHRegister.control5 where value & 0x80 != 0:
            // The trimming is loaded again, user registers stay; boot takes 5 ms (DocID17530, start-up sequence).
            bootEnds = now.advanced(byMillis: 5)
        case LIS3DHRegister.int1Config, LIS3DHRegister.int1Duration: int1Run = 0
        default: break
        }
        if !isFifoActive { fifo.removeAll() }
    }

    /// FIFO_EN and a mode other than bypass.
    var isFifoActive: Bool {
        registers[Int(LIS3DHRegister.control5)] & 0x40 != 0 && registers[Int(LIS3DHRegister.fifoControl)] & 0xC0 != 0
    }

    public mutating func advance(to now: Instant) {
        if let ends = bootEnds, now >= ends {
            registers[Int(LIS3DHRegister.control5)] &= 0x7F
            bootEnds = nil
        }
        while let time = clock.take(until: now) { takeSample(at: time) }
    }

    /// With the FIFO on, the address goes from the last output register back to the first.
    private func following(_ address: UInt8) -> UInt8 {
        if isFifoActive, address == LIS3DHRegister.outZHigh { return LIS3DHRegister.outXLow }
        return (address + 1) & 0x7F
    }

    /// One byte with everything that reading it clears.
    private mutating func take(_ address: UInt8) -> UInt8 {
        switch address {
        case LIS3DHRegister.outXLow...LIS3DHRegister.outZHigh: return takeOutput(Int(address - LIS3DHRegister.outXLow))
        case LIS3DHRegister.status: return status
        case LIS3DHRegister.fifoSource:
            return fifo.source(watermark: Int(registers[Int(LIS3DHRegister.fifoControl)] & 0x1F))
        case LIS3DHRegister.int1Source:
            defer { int1Source = 0 }
            return int1Source
        case LIS3DHRegister.reference:
            filter.reset()
            return registers[Int(address)]
        default: return registers[Int(address)]
        }
    }

    private mutating func takeOutput(_ index: Int) -> UInt8 {
        if isFifoActive, let oldest = fifo.samples.first { output = oldest }
        if index % 2 == 1 {
            unreadAxes &= ~(1 << UInt8(index / 2))
            overrunAxes &= ~(1 << UInt8(index / 2))
        }
        // BLE swaps the bytes, in high resolution only.
        let isSwapped = registers[Int(LIS3DHRegister.control4)] & 0x40 != 0 && resolution == .high
        let byte = output.byte(isSwapped ? index ^ 1 : index)
        if isFifoActive, index == 5 { _ = fifo.pop() }
        return byte
    }

    private var status: UInt8 {
        let enabled = registers[Int(LIS3DHRegister.control1)] & 0x07
        func whole(_ axes: UInt8) -> UInt8 { axes | (enabled != 0 && axes == enabled ? 0x08 : 0) }
        return whole(overrunAxes) << 4 | whole(unreadAxes)
    }
}
