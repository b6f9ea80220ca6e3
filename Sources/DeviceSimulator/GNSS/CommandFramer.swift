/// Cuts what a receiver hears into commands; anything else is skipped.
struct CommandFramer: Sendable {
    enum Command: Equatable, Sendable {
        case ubx(id: UInt16, payload: [UInt8])
        /// Between `$` and `*`, checksum verified.
        case sentence([String])
    }

    private var pending: [UInt8] = []
    /// A command longer than this is noise: the longest real one is a CFG-VALSET of 64 keys.
    private static let longest = 1_024

    /// The commands that are complete now, in order.
    mutating func take(_ bytes: [UInt8]) -> [Command] {
        pending += bytes
        var commands: [Command] = []
        var at = 0
        scan: while at < pending.count {
            switch pending[at] {
            case 0xB5:
                switch ubx(at) {
                case .whole(let command, let end):
                    commands.append(command)
                    at = end
                case .unfinished: break scan
                case .noise: at += 1
                }
            case UInt8(ascii: "$"):
                switch sentence(at) {
                case .whole(let command, let end):
                    commands.append(command)
                    at = end
                case .unfinished: break scan
                case .noise: at += 1
                }
            default: at += 1
            }
        }
        pending.removeFirst(at)
        return commands
    }

    private enum Piece {
        case whole(Command, end: Int)
        case unfinished
        case noise
    }

    private func ubx(_ start: Int) -> Piece {
        let rest = pending.count - start
        if rest >= 2, pending[start + 1] != 0x62 { return .noise }
        guard rest >= 6 else { return .unfinished }
        let length = Int(pending[start + 4]) | Int(pending[start + 5]) << 8
        guard length <= Self.longest else { return .noise }
        guard rest >= length + 8 else { return .unfinished }
        let sums = UBXFrame.checksum(pending[start + 2..<start + 6 + length])
        guard sums == (pending[start + 6 + length], pending[start + 7 + length]) else { return .noise }
        let id = UInt16(pending[start + 2]) << 8 | UInt16(pending[start + 3])
        return .whole(
            .ubx(id: id, payload: Array(pending[start + 6..<start + 6 + length])), end: start + 8 + length)
    }

    private func sentence(_ start: Int) -> Piece {
        guard let end = pending[start...].firstIndex(of: 0x0A) else {
            return pending.count - start > Self.longest ? .noise : .unfinished
        }
        var line = pending[start + 1..<end]
        if line.last == 0x0D { line = line.dropLast() }
        guard let star = line.lastIndex(of: UInt8(ascii: "*")), line.endIndex - star == 3,
            let told = UInt8(String(decoding: line[(star + 1)...], as: UTF8.self), radix: 16),
            line[..<star].reduce(0, ^) == told
        else { return .noise }
        let fields = String(decoding: line[..<star], as: UTF8.self).split(
            separator: ",", omittingEmptySubsequences: false)
        return .whole(.sentence(fields.map(String.init)), end: end + 1)
    }
}
