import GNSSCodecs
import Ports
import TrackerModel

/// Stepping finder and care and doing what they say.
extension ReceiverLink {
    func step(_ event: ReceiverFinder.Event) {
        var actions: [ReceiverFinder.Action] = []
        finder.handle(event, at: reactor.now, into: &actions)
        actions.forEach(perform)
        armMachineAlarm()
    }

    func step(_ event: ReceiverCareMachine.Event) {
        var actions: [ReceiverCareMachine.Action] = []
        care.handle(event, at: reactor.now, into: &actions)
        actions.forEach(perform)
        armMachineAlarm()
    }

    private func perform(_ action: ReceiverFinder.Action) {
        switch action {
        case .open(let candidate, let baud): open(candidate, baud)
        case .setBaud(let baud):
            endEpoch()
            do throws(ByteStreamFailure) { try stream.setBaud(baud) } catch { step(.rateRefused) }
        case .close: closeLine()
        case .lock(let baud):
            fault = nil
            remember(baud)
            step(.locked(baud: baud))
            aidIfDue()
        case .unlock:
            step(.unlocked)
            // It may have fallen asleep, for whatever reason.
            if !power.sleep.isResting { step(ReceiverSleepMachine.Event.wakeOrdered(isCertain: false)) }
        case .complain(let complaint): fault = text(of: complaint)
        }
        announce()
    }

    private func perform(_ action: ReceiverCareMachine.Action) {
        switch action {
        case .send(let request, let dialect):
            let bytes = request.bytes(in: dialect)
            guard isOpen, !bytes.isEmpty else { return }
            // A receiver that cannot be written to is one that does not answer: the machine's business.
            try? stream.write(bytes)
        case .changeSpeed(let baud): step(.rateOrdered(baud))
        case .diagnose(let message): diagnose(message)
        }
    }

    private func open(_ candidate: Int, _ baud: Int) {
        var paths = stream.candidates
        if let last = remembered?.port, let place = paths.firstIndex(of: last) {
            paths.insert(paths.remove(at: place), at: 0)
        }
        if !paths.isEmpty { stream.choose(paths[candidate % paths.count]) }
        do throws(ByteStreamFailure) {
            try stream.open(baud: baud) { [unowned self] event in handle(event) }
        } catch {
            fault = error.message
            announce()
            return step(.openFailed(candidates: paths.count))
        }
        isOpen = true
        bytesSinceOpen = 0
        step(.opened(candidates: paths.count))
        announce()
    }

    private func remember(_ baud: Int) {
        let found = ReceiverMemory(port: stream.name, baud: baud, usesUBX: streamProtocol == .ubx)
        guard found != remembered else { return }
        remembered = found
        memory.write(found.text)
    }

    /// Starts the receiver again. Sent at once: no receiver acknowledges it.
    /// - Returns: what was done, or why nothing was.
    func reset(_ start: ReceiverCommand.Start) -> ReceiverResetResult {
        guard isOpen else { return .refused("the receiver's line is not open: \(problem ?? "it is being opened")") }
        guard let identity = care.identity, let dialect = ReceiverDialect(identity) else {
            return .refused("this receiver is of no known family, and takes no commands that the tracker knows")
        }
        let command: ReceiverCommand =
            switch dialect {
            case .ubx, .ubxValset: .ubxReset(start)
            case .pmtk: .mtkReset(start)
            case .pair: .pairReset(start)
            }
        do throws(ByteStreamFailure) { try stream.write(command.bytes) } catch {
            return .refused(error.message)
        }
        return .done("told the receiver to start \(start)")
    }

    /// One timer for all machines. A deadline that moved away costs one wake-up, not a timer for every read.
    func armMachineAlarm() {
        let due = min(min(finder.deadline, care.deadline), power.sleep.deadline)
        guard due < machineAlarm.deadline else { return }
        machineAlarm.set(at: due, toleranceMillis: 50) { [unowned self] in
            if reactor.now >= finder.deadline { step(.timerFired as ReceiverFinder.Event) }
            if reactor.now >= care.deadline { step(.timerFired as ReceiverCareMachine.Event) }
            if reactor.now >= power.sleep.deadline { step(.timerFired as ReceiverSleepMachine.Event) }
            armMachineAlarm()
            announce()
        }
    }
}

/// What became of an operator's wish.
enum ReceiverResetResult: Equatable {
    case done(String)
    case refused(String)
}
