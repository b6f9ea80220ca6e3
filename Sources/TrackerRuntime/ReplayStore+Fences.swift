public import Ports
public import TrackerModel

/// A replay has no operator, hence no fences and no history of them.
extension ReplayStore {
    public func arm(_ fence: Geofence, at time: UTCTime) throws(StoreFailure) -> ArmedFence {
        throw StoreFailure(
            code: .readOnly, cause: "A replay watches no fences.", remedy: "Arm them on the device that is running.")
    }
    public func removeFence(id: String, at time: UTCTime) throws(StoreFailure) -> Bool { false }
    public func removeAllFences(at time: UTCTime) throws(StoreFailure) -> [String] { [] }
    public func fences() throws(StoreFailure) -> [ArmedFence] { [] }
    public func append(_ crossing: FenceCrossing) throws(StoreFailure) -> Int64? { nil }
    public func crossings(fenceID: String?, limit: Int) throws(StoreFailure) -> [FenceCrossing] { [] }
    public func crossings(after id: Int64, limit: Int) throws(StoreFailure) -> [FenceCrossing] { [] }
    public func deleteCrossings(fenceID: String?) throws(StoreFailure) -> Int64 { 0 }
}
