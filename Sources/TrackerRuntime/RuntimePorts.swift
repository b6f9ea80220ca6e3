public import Ports

/// Everything the runtime uses from outside; the executable, replay and tests choose the adapters.
public struct RuntimePorts {
    public var reactor: any Reactor
    public var stream: any ByteStream
    public var store: any TrackStore
    public var log: any LogSink
    public var digests: any Digests
    public var calendar: any ZoneCalendar
    /// `nil`: no accelerometer is configured.
    public var bus: (any RegisterBus)?
    /// What a driver of the kernel may have in the bus's place.
    public var motion: (any MotionStream)?
    /// Sources of the battery's state; the first that knows the percentage is believed.
    public var battery: (any BatterySource)?
    public var gauge: (any BatterySource)?
    public var supplySense: (any SupplySense)?
    /// `nil`: the host stays on whatever the battery says.
    public var hostPower: (any HostPower)?
    /// `nil`: nobody knows what the process costs.
    public var load: (any HostLoad)?
    /// `nil`: no line is configured.
    public var lines: (any DigitalLines)?
    /// `nil`: nothing is uploaded.
    public var uplink: (any Uplink)?
    public var supervisor: (any Supervisor)?
    public var snapshots: (any SnapshotSink)?
    /// `nil`: the receiver's time is for the tracker alone.
    public var timeSink: (any TimeSink)?
    /// `nil`: the receiver's bytes are not kept.
    public var rawLog: (any RawLog)?
    /// `nil`: no endpoint can be configured at run time, and no credential is read from elsewhere.
    public var vault: (any CredentialVault)?
    /// What sees the link; where several see the same, the first is believed. None: nobody knows whether there is one.
    public var links: [any LinkSource]
    /// The command port of a cellular modem, else the program that owns one, and the switch of its supply; `nil`: the host
    /// sees to it alone.
    public var modemPort: (any ByteStream)?
    public var modemOwner: (any ModemOwner)?
    public var modemPower: (any ModemPower)?

    public init(
        reactor: any Reactor, stream: any ByteStream, store: any TrackStore, log: any LogSink, digests: any Digests,
        calendar: any ZoneCalendar, bus: (any RegisterBus)? = nil, motion: (any MotionStream)? = nil,
        battery: (any BatterySource)? = nil,
        gauge: (any BatterySource)? = nil, supplySense: (any SupplySense)? = nil, hostPower: (any HostPower)? = nil,
        load: (any HostLoad)? = nil, lines: (any DigitalLines)? = nil,
        uplink: (any Uplink)? = nil, supervisor: (any Supervisor)? = nil, snapshots: (any SnapshotSink)? = nil,
        timeSink: (any TimeSink)? = nil, rawLog: (any RawLog)? = nil,
        vault: (any CredentialVault)? = nil, links: [any LinkSource] = [],
        modemPort: (any ByteStream)? = nil, modemOwner: (any ModemOwner)? = nil, modemPower: (any ModemPower)? = nil
    ) {
        self.reactor = reactor
        self.stream = stream
        self.store = store
        self.log = log
        self.digests = digests
        self.calendar = calendar
        self.bus = bus
        self.motion = motion
        self.battery = battery
        self.gauge = gauge
        self.supplySense = supplySense
        self.hostPower = hostPower
        self.load = load
        self.lines = lines
        self.uplink = uplink
        self.supervisor = supervisor
        self.snapshots = snapshots
        self.timeSink = timeSink
        self.rawLog = rawLog
        self.vault = vault
        self.links = links
        self.modemPort = modemPort
        self.modemOwner = modemOwner
        self.modemPower = modemPower
    }
}
