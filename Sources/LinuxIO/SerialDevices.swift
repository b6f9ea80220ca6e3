/// The serial devices that may be a receiver, under names that outlive a re-enumeration (spec edge-cases E-007).
struct SerialDevices {
    /// What the operator writes to have the device found.
    static let auto = "auto"

    /// `auto`, or the path that the operator wrote.
    let device: String
    /// Where the device files are; another place in tests.
    private let root: String
    /// The by-id link of the operator's device, learned while it was there.
    private var alias: String?

    init(device: String, root: String = "/dev") {
        self.device = device
        self.root = root
    }

    /// Existing paths, most likely first and one for each device. The operator's own path is listed even when nothing is
    /// there, unless its device has meanwhile appeared under another name.
    var candidates: [String] {
        guard device == Self.auto else {
            guard let alias, exists(alias) else { return [device] }
            return [alias]
        }
        let links = DirectoryListing.names(byID)
        let receivers = links.filter(Self.looksLikeReceiver)
        let others = links.filter { !Self.looksLikeReceiver($0) }
        let names = DirectoryListing.names(root)
        func named(_ prefix: String) -> [String] { names.filter { $0.hasPrefix(prefix) }.map { "\(root)/\($0)" } }
        var paths = receivers.map { "\(byID)/\($0)" }
        paths += named("gnss")
        paths += ["\(root)/serial0", "\(root)/ttyAMA0"]
        paths += others.map { "\(byID)/\($0)" }
        paths += named("ttyACM")
        paths += named("ttyUSB")
        paths.append("\(root)/ttyS0")
        var seen: Set<String> = []
        return paths.filter { path in (try? System.resolve(path)).map { seen.insert($0).inserted } ?? false }
    }

    /// Learns under which lasting name the device can be found when `path`, which is open now, is gone.
    mutating func noteOpened(_ path: String) {
        guard device != Self.auto, path == device, let target = try? System.resolve(path) else { return }
        let links = DirectoryListing.names(byID).map { "\(byID)/\($0)" }
        // A link of the operator's own choice is followed wherever it leads.
        alias = links.contains(device) ? nil : links.first { (try? System.resolve($0)) == target }
    }

    /// Links that udev makes from vendor, product and serial number (60-serial.rules).
    private var byID: String { root + "/serial/by-id" }

    private func exists(_ path: String) -> Bool { (try? System.resolve(path)) != nil }

    /// Vendors and words in the USB strings of receivers; makers of modems are left out on purpose.
    private static let receiverWords = [
        "u-blox", "u_blox", "ublox", "gnss", "gps", "mediatek", "sirf", "skytraq", "globalsat", "locosys", "septentrio",
        "trimble", "garmin", "unicore",
    ]

    static func looksLikeReceiver(_ link: String) -> Bool {
        let name = link.lowercased()
        return receiverWords.contains { word in Self.contains(name, word) }
    }

    private static func contains(_ text: String, _ word: String) -> Bool {
        let (text, word) = (Array(text.utf8), Array(word.utf8))
        guard text.count >= word.count else { return false }
        return (0...(text.count - word.count)).contains { text[$0..<($0 + word.count)].elementsEqual(word) }
    }
}
