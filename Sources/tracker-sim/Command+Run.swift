import DeviceSimulator
import WireText

extension Command {
    /// Does it; devices run until SIGTERM or SIGINT.
    func run(emit: @escaping EventSink) throws(BenchFailure) {
        switch self {
        case .uart(let log, let options):
            // Before `ready`: a signal that follows it at once must find its reader.
            let signals = try SignalInbox()
            let schedule = UARTSchedule(log: try BenchFile.read(log))
            try UARTPlayer(schedule, options: options, emit: emit).run(signals: signals)
        case .board(let request): try request.run(emit: emit)
        case .accel(let request): try request.run(emit: emit)
        case .receiver(let options):
            let signals = try SignalInbox()
            try PointReceiver(options, emit: emit).run(signals: signals)
        case .journey(let name, let folder, let seed):
            if let journey = Journey(name, seed: seed) { try Self.write(journey, to: folder, emit: emit) }
        case .journeyList:
            let width = Journey.list.map(\.name.count).max() ?? 0
            for (name, summary) in Journey.list {
                print(name + String(repeating: " ", count: width + 2 - name.count) + summary)
            }
        case .gnss(let request):
            let signals = try SignalInbox()
            try request.port(emit: emit)?.run(signals: signals)
        case .modem(let options):
            let signals = try SignalInbox()
            try ModemPort(options, emit: emit).run(signals: signals)
        case .help: print(Self.helpText)
        case .version: print("tracker-sim \(Self.versionText)")
        }
    }

    private static func write(_ journey: Journey, to folder: String, emit: EventSink) throws(BenchFailure) {
        try BenchFile.makeFolder(folder)
        let base = folder + "/" + journey.name
        try BenchFile.write(journey.nmea(), to: base + ".nmea")
        try BenchFile.write(journey.truthCSV(), to: base + ".truth.csv")
        try BenchFile.write(journey.motionText(), to: base + ".motion")
        emit([
            "event": "written", "journey": .string(journey.name), "seed": .string(String(journey.seed)),
            "start": .string(TimeText.iso(journey.start)), "epochs": .int(Int64(journey.epochCount)),
            "log": .string(base + ".nmea"), "truth": .string(base + ".truth.csv"), "motion": .string(base + ".motion"),
        ])
    }

    static let versionText = "0.1.0"

    static let helpText = """
        tracker-sim: devices for the bench, never installed on a tracker

        tracker-sim board --folder DIR [--script FILE] [--speed N] [--port N] [--mirror]
            All devices of a board together: receiver, accelerometer with its interrupt line, fuel gauge on a
            battery that what runs drains, and where the script says so a modem; with --port a server. One
            script moves them (docs/modules/simulator.md). Writes DIR/tracker.yaml, with which the daemon
            finds them: tracker run --config DIR/tracker.yaml --time-scale N. With --mirror DIR/gnss-mirror
            hears what the receiver says too. Signals as for uart.
        tracker-sim uart --play LOG --link PATH [--speed N|max] [--loop] [--start-after SEC] [--baud N]
            Plays a raw receiver log through a pseudo-terminal; PATH becomes a link to it. Starts when a
            reader opens it, or SEC seconds after ready. With --baud a reader at another rate gets garbage.
            SIGUSR1 unplugs, SIGUSR2 plugs in again, SIGHUP toggles silence.
        tracker-sim gnss --journey NAME --link PATH [--family F] [--baud N] [--speed N] [--seed N]
                         [--start cold|warm|hot] [--faults FILE] [--utc TIME] [--start-after SEC] [--power-file FILE]
            A receiver that goes on a journey and can be talked to: ublox6, ublox8, ublox10, mtk, quectel or
            generic. At another rate than its own both sides get garbage. FILE has one "AT FAULT [VALUE]
            [for SECONDS]" a line (docs/modules/simulator.md). Signals as for uart.
        tracker-sim accel --script FILE | --recording CSV --bus PATH [--chip NAME] [--address N] [--faults FILE] [--battery FILE] [--speed N]
            Serves an accelerometer at register level on a Unix socket: lis3dh (unless said), lis2dh12, adxl345,
            mpu6050, mpu6500 or bmi160. The script has one "ACTIVITY SECONDS" a line: still, idle, walking,
            driving, vibration, swell, sailing, fault; a recording has lines of nanoseconds,x,y,z in m/s². FILE has one
            "AT FAULT [for SECONDS]" a line: nak, stuck, wrong-id, frozen, silent, overrun. Time starts with
            the first connection. With --battery FILE a MAX17048 at 0x36 too; that file begins with
            "battery MWH PERCENT" and goes on with lines of "drain MW SECONDS", "charge MW SECONDS" and
            "fault SECONDS".
        tracker-sim modem --link PATH [--faults LIST] [--cure CURE] [--signal N] [--speed N] [--power-file FILE]
            The command port of a cellular modem on a pseudo-terminal. LIST is of sim-absent, sim-locked,
            denied, no-coverage, hang, slow, bearer-lost, no-lte; CURE ends them: never, reconnect, reset or
            power-cycle. Events tell of its route and its restarts. SIGUSR1 cuts its power, SIGUSR2 gives it.
        tracker-sim journey NAME --out DIR [--seed N]
            Writes DIR/NAME.nmea, DIR/NAME.truth.csv and DIR/NAME.motion. journey --list shows the names.
        tracker-sim receiver --port N [--status-script LIST] [--keep FILE] [--refuse-point N] [--most-points N]
            Takes uploads on 127.0.0.1 (port 0: any). GET /summary and /points show what came. LIST is
            such as 500,429+120,200*: statuses, 429+SECONDS or 429+dateSECONDS with Retry-After, 307>PLACE,
            cut, half, slow (3 s) or garbage; the last one repeats. The N-th point is refused for good (422),
            batches of more than so many points are (413).

        Events are JSON lines on stdout, {"event":"ready",…} first. SIGTERM ends a device.
        Exit status: 0 done, 1 a device cannot start, 2 usage.
        """
}
