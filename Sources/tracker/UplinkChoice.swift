import Ports

/// The uplink that an address needs, made when it is needed first: `sync configure` may name another kind at any time.
final class UplinkChoice: Uplink {
    private let makeWeb: () -> any Uplink
    private let makeBroker: () -> any Uplink
    private var web: (any Uplink)?
    private var broker: (any Uplink)?
    private var isClosed = false

    init(web: @escaping () -> any Uplink, broker: @escaping () -> any Uplink) {
        makeWeb = web
        makeBroker = broker
    }

    func start(_ request: UplinkRequest, finished: @escaping (UplinkReport) -> Void) {
        guard !isClosed else { return }
        let uplink: any Uplink
        if MQTTAddress.isMeant(request.url) {
            uplink = broker ?? makeBroker()
            broker = uplink
        } else {
            uplink = web ?? makeWeb()
            web = uplink
        }
        uplink.start(request, finished: finished)
    }

    func close() {
        isClosed = true
        web?.close()
        broker?.close()
    }
}
