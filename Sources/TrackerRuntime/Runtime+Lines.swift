import Ports
import SyncEngine
import TrackerEngine
import TrackerModel
import WireText

/// What the lines of the board mean: a light, a button, the ignition, the receiver's power and reset.
extension Runtime {
    /// A light that is dark at rest is lit for this long: while the device is put into place, and after a press.
    private static let lightAfterStartMillis: Int64 = 600_000
    private static let lightAfterPressMillis: Int64 = 60_000

    func startLines() {
        guard let lines = ports.lines else { return }
        let supply = ReceiverSupply(isHeld: power.machine.holdsReceiver, reactor: ports.reactor) { [unowned self] in
            lineFailed(nil, $0)
        }
        let board = BoardLines(supply: supply) { [unowned self] in lineFailed($0, $1) }
        self.board = board
        lightUntil = ports.reactor.now.advanced(byMillis: Self.lightAfterStartMillis)
        wantDeviceLines(board, lines)
        wantGaugeAlert(board, lines)
        wantPanel(board, lines)
        board.take()
    }

    private func lineFailed(_ key: String?, _ failure: LineFailure) {
        let place = key.map { "\($0): " } ?? ""
        emit(.error(.permissionDenied, "\(place)\(failure.message)"))
    }

    private func wantDeviceLines(_ board: BoardLines, _ lines: any DigitalLines) {
        board.want(BoardLines.Keys.power, config.receiverPowerLine) {
            [unowned self, unowned board] () throws(LineFailure) in
            board.supply.power = try lines.output(config.receiverPowerLine, isActive: !board.supply.isOff)
        }
        board.want(BoardLines.Keys.reset, config.receiverResetLine) {
            [unowned self, unowned board] () throws(LineFailure) in
            board.supply.reset = try lines.output(config.receiverResetLine, isActive: false)
        }
        board.want(BoardLines.Keys.wake, config.wakeLine) { [unowned self, unowned board] () throws(LineFailure) in
            guard let accelerometer else {
                throw LineFailure(cause: "there is no accelerometer", remedy: "set accel.bus, or take the line out")
            }
            try accelerometer.listen(to: config.wakeLine, of: lines)
            board.watch(BoardLines.Keys.wake) { [unowned accelerometer] in
                .init(
                    state: accelerometer.wakeGate.isMasked ? "masked" : accelerometer.isArmed ? "armed" : "not armed",
                    failure: accelerometer.wakeLine?.failure)
            }
        }
        board.want(BoardLines.Keys.pulse, config.pulseLine) { [unowned self, unowned board] () throws(LineFailure) in
            let pulse = try lines.input(config.pulseLine) { [unowned self] (edge: LineEdge) in
                if edge.isActive { pulses.rose(at: edge.at) }
            }
            board.pulse = pulse
            board.watch(BoardLines.Keys.pulse) { [unowned self, unowned pulse] in
                .init(state: "\(pulses.placed) fixes placed", failure: pulse.failure)
            }
        }
    }

    /// The gauge can only pull it low.
    private func wantGaugeAlert(_ board: BoardLines, _ lines: any DigitalLines) {
        let name = config.gaugeAlertLine
        board.want(BoardLines.Keys.gaugeAlert, name) { [unowned self, unowned board] () throws(LineFailure) in
            guard let gauge = ports.gauge else {
                throw LineFailure(cause: "there is no fuel gauge", remedy: "set power.gauge, or take the line out")
            }
            let line = try lines.input(name.hasSuffix(" low") ? name : name + " low") { [unowned self] in power.read() }
            board.gaugeAlert = line
            board.watch(BoardLines.Keys.gaugeAlert) { [unowned line] in
                let problem = gauge.alertProblem.map {
                    LineFailure(cause: $0, remedy: "the battery is read every 60 s")
                }
                return .init(state: line.isActive ? "alert" : "quiet", failure: line.failure ?? problem)
            }
            gauge.alert(below: config.power.alertPercents)
            // Sets the threshold, and ends an alert that came before.
            power.read()
        }
    }

    /// What a driver sees and does.
    private func wantPanel(_ board: BoardLines, _ lines: any DigitalLines) {
        let reactor = ports.reactor
        board.want(BoardLines.Keys.ignition, config.ignitionLine) {
            [unowned self, unowned board] () throws(LineFailure) in
            let ignition = try IgnitionInput(config.ignitionLine, of: lines, reactor: reactor) { [unowned self] in
                ignitionChanged(isOn: $0)
            }
            board.ignition = ignition
            board.watch(BoardLines.Keys.ignition) { [unowned ignition] in
                .init(state: ignition.isOn ? "on" : "off", failure: ignition.input.failure)
            }
            if ignition.isOn { ignitionChanged(isOn: true) }
        }
        board.want(BoardLines.Keys.button, config.buttonLine) {
            [unowned self, unowned board] () throws(LineFailure) in
            let button = try PushButton(config.buttonLine, of: lines, reactor: reactor) { [unowned self] in
                buttonUsed($0)
            }
            board.button = button
            board.watch(BoardLines.Keys.button) { [unowned button] in
                .init(state: button.input.isActive ? "down" : "up", failure: button.input.failure)
            }
        }
        board.want(BoardLines.Keys.light, config.lightLine) { [unowned self, unowned board] () throws(LineFailure) in
            let light = BlinkingLight(
                try lines.output(config.lightLine, isActive: false), reactor: reactor,
                wanted: { [unowned self] in lightState })
            board.light = light
            board.watch(BoardLines.Keys.light) { [unowned light] in
                .init(state: light.state.rawValue, failure: light.failure)
            }
            light.wake()
        }
    }

    // MARK: - Light

    /// Dark at rest on a battery, where every wake-up counts (spec power §4), except for a while after the start and a press.
    private var lightState: LightState {
        guard session != nil else { return .dark }
        let reading = power.machine.reading
        let isFed = [.ac, .usb].contains(reading.supply) || reading.isCharging == true
        let isResting = engine.motionState == .stationary || engine.motionState == .stopped
        guard isFed || !isResting || ports.reactor.now < lightUntil else { return .dark }
        if journal.failure != nil || receiver.state == .silent { return .fault }
        if receiver.state == .noFix { return .noFix }
        if engine.powerTier != .normal || isReceiverHeld { return .lowBattery }
        let uploaded = uploader?.uploadedThisRun ?? 0
        defer { uploadedAtLight = uploaded }
        if uploader?.machine.isDraining == true || uploaded > uploadedAtLight { return .uploading }
        return .fix
    }

    // MARK: - Button

    private func buttonUsed(_ gesture: ButtonMachine.Gesture) {
        lightUntil = max(lightUntil, ports.reactor.now.advanced(byMillis: Self.lightAfterPressMillis))
        log(.notice, "button.used", [("gesture", .text(gesture == .press ? "press" : "hold"))])
        switch gesture {
        case .press:
            requestFix(OneShotRequest(id: 0)) { [unowned self] _ in uploader?.request() }
        case .hold:
            do throws(StoreFailure) {
                _ = session == nil ? try startCapture() : try stopCapture()
            } catch {
                emit(.error(ErrorCode(error), "the button cannot start or stop: \(error.message)"))
            }
        }
        board?.light?.wake()
    }

    // MARK: - Ignition

    /// On: somebody is about to drive, and the vehicle feeds the board. Off: its power may go at any moment, so everything
    /// is made durable and the end of the run noted (E-136).
    private func ignitionChanged(isOn: Bool) {
        log(.notice, "ignition.changed", [("on", .text(isOn ? "yes" : "no"))])
        try? ports.store.setState(.run, RunMark(host, hasEnded: !isOn).text)
        power.read()
        if isOn {
            _ = changePace(isMoving: true)
        } else {
            flushJournal()
            ports.rawLog?.flush()
            saveSnapshot()
        }
    }
}
