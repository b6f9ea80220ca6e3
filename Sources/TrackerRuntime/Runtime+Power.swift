import Ports
import SyncEngine
public import TrackerEngine
import TrackerModel
import WireText

/// What the battery allows, done to the parts around.
extension Runtime {
    func makePower() -> PowerLink {
        PowerLink(
            config.power, ports,
            PowerLink.Surroundings(
                utcNow: { [unowned self] in utcNow }, emit: { [unowned self] in emit($0) },
                tierChanged: { [unowned self] in tierChanged($0) },
                gateChanged: { [unowned self] in applyPowerGate() },
                isIgnitionOn: { [unowned self] in board?.ignition?.isOn },
                save: { [unowned self] in
                    flushJournal()
                    energy.save()
                    saveSnapshot()
                },
                uploadLast: { [unowned self] done in
                    guard let uploader else { return done() }
                    uploader.uploadLast(done)
                }))
    }

    private func tierChanged(_ tier: PowerTier) {
        log(.notice, "power.tier", [("tier", .text(tier.rawValue))])
        step(.powerTierChanged(tier))
        uploader?.conditionsChanged()
    }

    /// Why nothing is to be sent.
    var modemHold: String? { power.machine.holdsModem ? power.machine.gateReason : nil }

    /// Opens what may run and closes what may not. What is held is not only closed but switched off, or told to sleep, where
    /// something can.
    func applyPowerGate() {
        guard isStarted else { return }
        let machine = power.machine
        uploader?.hold = modemHold
        if listensToReceiver, machine.holdsReceiver != isReceiverHeld { holdReceiver(machine.holdsReceiver) }
        let isShutDown = machine.tier == .shutdown
        if let accelerometer, isShutDown != isAccelerometerHeld {
            isAccelerometerHeld = isShutDown
            if isShutDown {
                accelerometer.stop()
                step(.stillnessLost)
            } else {
                accelerometer.start()
            }
        }
        accountForDevices()
        if let reason = machine.gateReason { log(.notice, "power.gate", [("held", .text(reason))]) }
    }

    private func holdReceiver(_ isHeld: Bool) {
        isReceiverHeld = isHeld
        board?.supply.hold(isHeld)
        if isHeld {
            receiverPower?.hold(isCut: board?.supply.isCut == true)
            receiver.stop(staysAsleep: true)
            receiver.announce()
        } else {
            receiver.start()
            receiverPower?.start()
        }
        step(.receiverPowered(isOn: !isHeld))
    }

    /// Tells the ledger what receiver, accelerometer and modem draw now.
    func accountForDevices() {
        energy.receiver(receiverPowerState)
        let hasAccelerometer = accelerometer != nil && !isAccelerometerHeld || recordedSamples?.hasTaken == true
        energy.accelerometer(hasAccelerometer ? (isAlert ? .running : .resting) : .off)
        energy.modemMayRun(uploader?.isConfigured == true && !power.machine.holdsModem)
    }

    /// A receiver that is not listened to goes on by itself, as long as nothing switches it off.
    private var receiverPowerState: ReceiverPowerState {
        switch receiver.state {
        case _ where board?.supply.isCut == true: .off
        case _ where receiver.isResting: receiverPower?.machine.rest == .standby ? .standby : .backup
        case .fix2D, .fix3D: .tracking
        case .noFix: .acquiring
        case .silent: receiver.isLineOpen ? .acquiring : .off
        case .off: hasRecordedFix ? .tracking : .acquiring
        }
    }
}

// MARK: - For the operator

extension Runtime {
    /// What was used from the start to now, of the whole run.
    public var energyOfRun: EnergyUse {
        energy.settle()
        return energy.ledger.run
    }

    var batteryJSON: JSONObject {
        PowerPage.battery(power.machine.reading, lowPercent: config.power.lowPercent, problem: power.problem)
    }

    var powerStatus: JSONObject {
        let machine = power.machine
        energy.settle()
        var status: JSONObject = [
            "tier": .string(machine.tier.rawValue), "powerSave": .bool(machine.tier != .normal),
            "known": .bool(machine.reading.percent != nil),
        ]
        status.merge(batteryJSON)
        status["gate"] = machine.gateReason.map { .string($0) }
        status["override"] = overrideStatus
        if power.isEnding { status["ending"] = true }
        status["presentMw"] = energy.ledger.presentMicrowatts.map { .fixed($0, places: 3) }
        if ports.load != nil {
            status["wakeUpsPerHour"] = energy.hourly(energy.ledger.run.wakeUps).map { .int($0) }
            status["contextSwitchesPerHour"] = energy.hourly(energy.contextSwitches).map { .int($0) }
        }
        return status
    }

    private var overrideStatus: JSONValue? {
        power.machine.override.map { wish in
            let rest = max(0, wish.until.millis(since: ports.reactor.now))
            return ["tier": .string(wish.tier.rawValue), "remainingSec": .int(rest / 1_000)]
        }
    }

    /// `device-cli power`: the tier, and the ledger of today and the days before.
    var powerReport: JSONValue {
        var report = powerStatus
        let ledger = energy.ledger
        report["today"] = .object(ledger.today.json)
        report["past"] = .array(ledger.past.map { .object($0.json) })
        report["forecastHours"] = forecastHours.map { .fixed($0, places: 1) }
        return .object(report)
    }

    /// Tenths of hours that the battery lasts at the present rate.
    private var forecastHours: Int64? {
        guard config.batteryMilliwattHours > 0, let percent = power.machine.reading.percent,
            let rate = energy.ledger.presentMicrowatts, rate > 0
        else { return nil }
        return Int64(config.batteryMilliwattHours) * Int64(percent) * 100 / rate
    }

    /// `power set`.
    func setPower(_ arguments: JSONObject) -> OperationAnswer {
        guard let word = arguments["tier"]?.stringValue else {
            return .refused(.invalidRequest, "say \"tier\": auto or \(Self.tierNames)")
        }
        let tier = PowerTier(rawValue: word)
        guard tier != nil || word == "auto" else {
            return .refused(.invalidRequest, "'\(word)' is no tier; give auto or \(Self.tierNames)")
        }
        let millis = arguments["forMs"].map { $0.intValue ?? -1 } ?? Self.overrideMillis
        guard (1_000...Self.mostOverrideMillis).contains(millis) else {
            return .refused(.invalidRequest, "forMs must be a whole number from 1000 to \(Self.mostOverrideMillis)")
        }
        do throws(StoreFailure) { try power.override(tier, forMillis: millis) } catch {
            return .refused(ErrorCode(error), error.message)
        }
        saveSnapshot()
        return .done(.object(powerStatus))
    }

    private static var tierNames: String { PowerTier.allCases.map(\.rawValue).joined(separator: ", ") }
    /// A word that nobody takes back must not cripple a tracker for good.
    private static let overrideMillis: Int64 = 86_400_000
    private static let mostOverrideMillis: Int64 = 30 * 86_400_000
}
