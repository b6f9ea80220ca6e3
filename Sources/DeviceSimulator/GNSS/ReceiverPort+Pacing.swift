import TrackerModel
import WireText

extension ReceiverPort {
    func lookForReader() {
        guard let terminal else { return }
        let isPresent = terminal.hasReader
        guard isPresent != isReaderPresent else { return }
        isReaderPresent = isPresent
        emit(["event": "reader", "open": .bool(isPresent)])
        if !isPresent { terminal.forgetUnread() }
        if isPresent, !isStarted, plannedStart == nil { plannedStart = Monotonic.nanos() + Self.settleNanos }
        if isPresent, isStarted { receiver.portOpened(at: clock.now) }
    }

    func startIfDue() {
        // Another device may have started the clock that it shares.
        guard let due = plannedStart, isStarted || Monotonic.nanos() >= due else { return }
        plannedStart = nil
        clock.start()
        if isReaderPresent { receiver.portOpened(at: clock.now) }
    }

    private var isStarted: Bool { clock.startedAt != nil }

    /// Lets the receiver live up to now and hands over what left its UART.
    func live() {
        guard isStarted else { return }
        lookAtPower()
        for chunk in receiver.advance(to: clock.now) { hand(over: chunk) }
        announce()
        followScript()
        if !isFinished, receiver.now.seconds(since: .zero) >= receiver.journey.durationSeconds { finish() }
    }

    func hear(_ terminal: PseudoTerminal) {
        let bytes = terminal.takeHeard()
        counts.heardBytes += bytes.count
        guard isStarted, !bytes.isEmpty else { return }
        // A rate that termios has no name for is nobody's.
        receiver.receive(bytes, baud: terminal.baud ?? 0, at: clock.now)
        announce()
    }

    private func hand(over chunk: LineChunk) {
        if let mirror {
            _ = mirror.drain()
            _ = mirror.write(chunk.bytes[...])
        }
        guard let terminal, isReaderPresent else {
            counts.lostBytes += chunk.bytes.count
            return
        }
        let baud = terminal.baud ?? chunk.baud
        if baud != chunk.baud { counts.garbledBytes += chunk.bytes.count }
        let heard = LineGarble.read(chunk.bytes, sentAt: chunk.baud, readAt: baud)
        let taken = terminal.write(heard[...])
        counts.sentBytes += taken
        counts.lostBytes += heard.count - taken
    }

    private func announce() {
        while announcedFaults < receiver.nextFault {
            let fault = receiver.faults.faults[announcedFaults]
            announcedFaults += 1
            emit(["event": "fault", "name": .string(fault.kind.rawValue), "atMs": .int(fault.at.millis)])
        }
        guard receiver.baud != announcedBaud else { return }
        announcedBaud = receiver.baud
        emit(["event": "baud", "baud": .int(Int64(announcedBaud))])
    }

    /// The journey is over; the receiver stands at its end and goes on talking.
    private func finish() {
        isFinished = true
        tellCounts("finished")
    }

    func tellCounts(_ event: String) {
        emit([
            "event": .string(event), "sentBytes": .int(Int64(counts.sentBytes)),
            "lostBytes": .int(Int64(counts.lostBytes)), "garbledBytes": .int(Int64(counts.garbledBytes)),
            "damagedBytes": .int(Int64(receiver.damagedBytes)), "heardBytes": .int(Int64(counts.heardBytes)),
            "commands": .int(Int64(receiver.commandCount)), "sentFrames": .int(Int64(receiver.sentFrames)),
            "droppedMessages": .int(Int64(receiver.droppedMessages)), "sleeps": .int(Int64(receiver.sleeps)),
        ])
    }

    private func lookAtPower() {
        let now = Monotonic.nanos()
        if let path = options.powerFile, now >= powerLookAt {
            powerLookAt = now + Self.powerLookNanos
            isSwitchedOn = (try? BenchFile.read(path))?.first != UInt8(ascii: "0")
        }
        // Only a change counts: a cut by the script of faults ends by the script.
        guard isFed != (hasSupply && isSwitchedOn) else { return }
        isFed.toggle()
        receiver.setPower(isFed, at: clock.now)
    }

    func nanosToNextDuty() -> Int64 {
        let now = Monotonic.nanos()
        var wait = Int64.max
        if terminal != nil, !isReaderPresent { wait = Self.lookNanos }
        guard isStarted else { return max(0, min(wait, plannedStart.map { $0 - now } ?? .max)) }
        if options.powerFile != nil { wait = min(wait, powerLookAt - now) }
        let batch = max(1, Int(Double(receiver.baud) / 10 * clock.speed * Self.batchSeconds))
        wait = min(wait, clock.nanos(until: receiver.nextDuty(batch: batch)))
        if let end = receiver.faults.active(.unplug, at: receiver.now)?.until {
            wait = min(wait, clock.nanos(until: end))
        }
        return max(0, wait)
    }
}
