/// What the runtime tells the people and programs that listen (spec api §4). Each is emitted after what it
/// reports is durable.
public enum TrackerEvent: Equatable, Sendable {
    case location(TrackPoint)
    case locationRejected(Decision)
    case motionChange(MotionState)
    case enabledChange(Bool)
    case providerChange(ReceiverState)
    case powerSaveChange(Bool)
    case batteryChange(BatteryInfo)
    case geofenceEnter(FenceCrossing)
    case geofenceExit(FenceCrossing)
    case geofenceDwell(FenceCrossing)
    /// As it was armed; also when it replaces one of the same id.
    case geofenceAdded(Geofence)
    case geofenceRemoved(id: String)
    case sessionInterrupted(Session, InterruptionCause)
    case activityChange(ActivityLabel)
    /// With the first point after the silence, once.
    case trackingGap(TrackingGap)
    /// A sign of life while a session is open; UTC as well as it is known.
    case heartbeat(UTCTime)
    /// Uploads (spec sync §9).
    case upload(UploadEvent)
    /// Informational; the part before `:` is a stable name.
    case diagnostic(String)
    case error(ErrorCode, String)
}

/// The receiver as the operator sees it (spec api §7).
public enum ReceiverState: String, Sendable {
    /// Closed by configuration, or not opened yet.
    case off
    /// The device cannot be opened, or it yields no valid frame.
    case silent
    case noFix
    case fix2D
    case fix3D
}

/// Stable codes of what can go wrong (spec api §5).
public enum ErrorCode: String, Sendable {
    case notReady
    case storageFull
    case storageReset
    case invalidConfig
    case invalidRequest
    case unknownOperation
    case conflict
    case notFound
    case sensorFault
    /// A device of the board, such as a line, is missing or may not be used.
    case permissionDenied
    /// The receiver alone tells motion.
    case motionDetectionDegraded
    /// The supply sags, or the battery is at its end.
    case powerUnstable
    /// No raw fix for too long, after the receiver was started again.
    case trackerDead
    /// This user may not ask for it.
    case forbidden
    case fixTimeout
    case fixRejected
    case oneShotBusy
    case oneShotCircuitOpen
    case internalError
}
