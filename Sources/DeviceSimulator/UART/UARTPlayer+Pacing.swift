import CLinux
import Glibc
import WireText

extension UARTPlayer {
    func lookForReader() {
        guard let terminal else { return }
        let isPresent = terminal.hasReader
        guard isPresent != isReaderPresent else { return }
        isReaderPresent = isPresent
        emit(["event": "reader", "open": .bool(isPresent)])
        if !isPresent { terminal.forgetUnread() }
        if isPresent, startedAt == nil, plannedStart == nil { plannedStart = Monotonic.nanos() + Self.settleNanos }
    }

    func startIfDue() {
        let now = Monotonic.nanos()
        if startedAt == nil, let plannedStart, now >= plannedStart { startedAt = now }
    }

    func play() {
        guard let startedAt, !isFinished else { return }
        switch options.speed {
        case .times(let factor): sendDue(startedAt: startedAt, factor: factor)
        case .max: sendWhatFits()
        }
        if nextChunk == schedule.chunks.count, backlog.isEmpty { endRound() }
    }

    private func endRound() {
        if options.loops, !schedule.chunks.isEmpty {
            nextChunk = 0
            round += 1
            return
        }
        isFinished = true
        emit([
            "event": "finished", "sentBytes": .int(Int64(counts.sentBytes)), "lostBytes": .int(Int64(counts.lostBytes)),
            "garbledBytes": .int(Int64(counts.garbledBytes)),
        ])
    }

    /// Absolute deadlines: a late wake-up does not delay the epochs after it.
    private func deadline(startedAt: Int64, factor: Double) -> Int64 {
        let millis = round * schedule.loopMillis + schedule.chunks[nextChunk].offsetMillis
        let delay = nanos(ofSeconds: Double(millis) / 1_000 / factor)
        let (sum, overflow) = startedAt.addingReportingOverflow(delay)
        return overflow ? .max : sum
    }

    private func sendDue(startedAt: Int64, factor: Double) {
        let now = Monotonic.nanos()
        while nextChunk < schedule.chunks.count, deadline(startedAt: startedAt, factor: factor) <= now {
            let chunk = takeChunk()
            if let terminal, isReaderPresent, !isSilent {
                let taken = terminal.write(chunk)
                counts.sentBytes += taken
                counts.lostBytes += chunk.count - taken
            } else {
                counts.lostBytes += chunk.count
            }
        }
    }

    private func sendWhatFits() {
        guard let terminal, isReaderPresent, !isSilent else { return }
        while true {
            if backlog.isEmpty {
                guard nextChunk < schedule.chunks.count else { return }
                backlog = takeChunk()
            }
            let taken = terminal.write(backlog)
            if taken == 0 { return }
            counts.sentBytes += taken
            backlog = backlog.dropFirst(taken)
        }
    }

    /// The next chunk as the reader will see it: at another rate every start bit is misread.
    private func takeChunk() -> ArraySlice<UInt8> {
        let chunk = schedule.chunks[nextChunk].bytes
        nextChunk += 1
        guard let own = options.baud, let terminal, isReaderPresent, !isSilent, terminal.baud != own else {
            return chunk[...]
        }
        counts.garbledBytes += chunk.count
        var random = SplitMix(seed: UInt64(nextChunk))
        return chunk.map { _ in UInt8(truncatingIfNeeded: random.next()) }[...]
    }

    func nanosToNextDuty() -> Int64 {
        var wait = Int64.max
        if terminal != nil, !isReaderPresent { wait = Self.lookNanos }
        let now = Monotonic.nanos()
        if startedAt == nil, let plannedStart { wait = min(wait, plannedStart - now) }
        if let startedAt, !isFinished, nextChunk < schedule.chunks.count {
            switch options.speed {
            case .times(let factor): wait = min(wait, deadline(startedAt: startedAt, factor: factor) - now)
            case .max: if backlog.isEmpty, isReaderPresent, !isSilent { wait = 0 }
            }
        }
        return max(0, wait)
    }
}
