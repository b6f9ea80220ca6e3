import Glibc

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
