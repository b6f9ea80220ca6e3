import TrackerModel

extension SimulatedReceiver {
    var faults: FaultScript { options.faults }

    /// The next instant something happens by itself.
    var nextEvent: Instant {
        var next = power == .on ? nextEpoch.advanced(byMillis: latencyMillis) : .never
        if nextFault < faults.faults.count { next = min(next, faults.faults[nextFault].at) }
        if case .asleep(let until) = power, !faults.isActive(.neverWakes, at: now) { next = min(next, until) }
        if power == .off { next = min(next, endOfPowerCut) }
        return next
    }

    /// When a scripted power cut is over; a cut by the bench has no end.
    private var endOfPowerCut: Instant {
        (faults.active(.powerCut, at: now) ?? faults.active(.powerLost, at: now))?.until ?? .never
    }

    mutating func run(to time: Instant) {
        while case let event = nextEvent, event <= time {
            let isPowerBack = power == .off && endOfPowerCut == event
            let lostBackup = faults.isActive(.powerLost, at: now)
            flush(until: event)
            now = max(now, event)
            if isPowerBack {
                powerUp(start: lostBackup ? .cold : nil)
            } else if case .asleep(let until) = power, until <= now {
                wake()
            } else if nextFault < faults.faults.count, faults.faults[nextFault].at <= now {
                nextFault += 1
                begin(faults.faults[nextFault - 1])
            } else {
                speak()
                scheduleEpoch(after: nextEpoch)
            }
        }
        flush(until: time)
        now = max(now, time)
    }

    /// Puts what left the line into the outbox, with the faults of the line.
    private mutating func flush(until time: Instant) {
        for var chunk in line.take(until: time) {
            damage(&chunk)
            if !chunk.bytes.isEmpty { outbox.append(chunk) }
        }
    }

    private mutating func damage(_ chunk: inout LineChunk) {
        if let flip = faults.active(.flip, at: chunk.startedAt) {
            for index in chunk.bytes.indices where lineNoise.next() % UInt64(flip.value) == 0 {
                chunk.bytes[index] ^= 1 << UInt8(lineNoise.next() % 8)
                damagedBytes += 1
            }
        }
        if let lose = faults.active(.lose, at: chunk.startedAt) {
            let count = chunk.bytes.count
            chunk.bytes.removeAll { _ in lineNoise.next() % UInt64(lose.value) == 0 }
            damagedBytes += count - chunk.bytes.count
        }
    }

    mutating func scheduleEpoch(after epoch: Instant) {
        let period = Int64(effective.periodMillis)
        // Epochs lie on whole multiples of their period, as receivers align them to GPS time.
        nextEpoch = Instant(millis: (epoch.millis / period + 1) * period)
        let jitter = faults.active(.jitter, at: nextEpoch)?.value ?? 0
        latencyMillis = 60 + (jitter > 0 ? Int64(2 * jitter * lineNoise.unit()) : 0)
    }

    /// The configuration as a flood changes it: everything, fast.
    var effective: ReceiverConfiguration {
        guard let flood = faults.active(.flood, at: now) else { return configuration }
        var all = configuration
        all.periodMillis = Int(1_000 / flood.value)
        for message in ReceiverMessage.allCases where message.exists(in: options.family) && !message.isUBX {
            all.set(message, rate: 1)
        }
        return all
    }

    /// Sends bytes, unless the line is silent.
    mutating func say(_ bytes: [UInt8]) {
        guard power == .on || power == .standby(hears: true), !isMuted, !faults.isActive(.silence, at: now) else {
            return
        }
        line.send(bytes, at: now)
    }

    mutating func say(_ text: String) { say(Array(text.utf8)) }
    mutating func say(sentence fields: [String]) { say(NMEASentence.line(fields)) }

    // MARK: Power

    mutating func powerDown() {
        power = .off
        search.stop(at: now)
        line.reset(baud: line.baud)
        framer = CommandFramer()
    }

    /// Starts with what is stored. Without a `start` it is what the backup domain still knows.
    mutating func powerUp(start: ReceiverStart?) {
        if start == .cold { memory.backup = nil }
        reboot(start ?? knowledge, with: memory.loaded(orFactory: factory))
    }

    private var knowledge: ReceiverStart { search.nextStart(at: now) }

    /// Ordered to stop navigating (PAIR003).
    mutating func standBy() {
        power = .standby(hears: isSleepLocked)
        search.stop(at: now)
        sleeps += 1
    }

    /// Ordered to sleep; what is not stored is lost by a u-blox in backup mode and kept by a MediaTek.
    mutating func sleep(until: Instant) {
        power = .asleep(until: until)
        search.stop(at: now)
        sleeps += 1
    }

    /// By a byte, by its timer or by itself.
    mutating func wake() {
        if faults.isActive(.losesConfig, at: now) { return reboot(.cold, with: factory) }
        if case .standby = power {
            power = .on
            restartSearch(knowledge)
            return scheduleEpoch(after: now)
        }
        reboot(knowledge, with: options.family.speaksUBX ? memory.loaded(orFactory: factory) : configuration)
    }

    /// A start of the whole chip.
    mutating func reboot(_ start: ReceiverStart, with newConfiguration: ReceiverConfiguration) {
        configuration = newConfiguration
        if let baud = baudAfterStart { configuration.baud = baud }
        baudAfterStart = nil
        power = .on
        isNavigating = true
        isSleepLocked = false
        framer = CommandFramer()
        line.reset(baud: configuration.baud)
        restartSearch(start)
        sayHello()
        scheduleEpoch(after: now)
    }

    /// A start of the navigation alone.
    mutating func restartSearch(_ start: ReceiverStart) {
        search.restart(start, seed: options.seed, at: now)
        if start == .cold { lastPosition = nil }
        epochIndex = 0
    }
}
