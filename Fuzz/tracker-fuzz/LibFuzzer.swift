import CLinux
import Glibc

// What libFuzzer calls; its own `main` runs the program when it is linked in (scripts/fuzz builds with -DFUZZER).

/// The target to run; by the environment, because libFuzzer takes all words of the command line for itself.
enum ChosenTarget {
    static let value: FuzzTarget = {
        guard let name = getenv("FUZZ_TARGET").flatMap({ FuzzTarget(rawValue: String(cString: $0)) }) else {
            let names = FuzzTarget.allCases.map(\.rawValue).joined(separator: ", ")
            Terminal.complain("tracker-fuzz: set FUZZ_TARGET to one of \(names)\n")
            exit(2)
        }
        return name
    }()
}

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    ChosenTarget.value.check(UnsafeBufferPointer(start: bytes, count: bytes == nil ? 0 : count))
    return 0
}
