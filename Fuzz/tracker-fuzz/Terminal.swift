import Glibc

/// Text for the person at the terminal.
enum Terminal {
    static func complain(_ text: String) {
        var text = text
        text.withUTF8 { _ = write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }
}
