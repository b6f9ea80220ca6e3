#if !FUZZER
    import CLinux
    import Glibc

    /// Random inputs without coverage, for toolchains that have no libFuzzer. Reproducible by its seed; the input under
    /// test is always in a file, where a trap leaves it.
    @main
    enum PlainFuzzer {
        private static let usage = """
            usage: FUZZ_TARGET=gnss|json|yaml tracker-fuzz FILE…                     replays inputs
                   FUZZ_TARGET=gnss|json|yaml tracker-fuzz --seconds N --seed N --keep FILE DIR…

            """

        static func main() {
            var arguments = Array(CommandLine.arguments.dropFirst())
            guard let first = arguments.first else { return end(usage, 2) }
            guard first.hasPrefix("--") else { return replay(arguments) }
            guard arguments.count >= 6, arguments[0] == "--seconds", let seconds = Int64(arguments[1]),
                arguments[2] == "--seed", let seed = UInt64(arguments[3]), arguments[4] == "--keep"
            else { return end(usage, 2) }
            guard let slot = InputSlot(path: arguments[5]) else { return end("cannot write \(arguments[5])\n", 1) }
            arguments.removeFirst(6)
            let seeds = arguments.flatMap(SeedFiles.read(folder:))
            run(Mutator(seeds: seeds, random: RandomSource(seed: seed)), slot, seconds: seconds)
        }

        private static func run(_ mutator: Mutator, _ slot: InputSlot, seconds: Int64) {
            var mutator = mutator
            let target = ChosenTarget.value
            let start = linux_clock_nanos(CLOCK_MONOTONIC)
            var executions = 0
            while linux_clock_nanos(CLOCK_MONOTONIC) - start < seconds * 1_000_000_000 {
                let input = mutator.next()
                slot.keep(input)
                input.withUnsafeBufferPointer { target.check($0) }
                executions += 1
            }
            slot.remove()
            print("stat::number_of_executed_units: \(executions)")
        }

        private static func replay(_ paths: [String]) {
            for path in paths {
                guard let input = SeedFiles.read(path: path) else { return end("cannot read \(path)\n", 1) }
                input.withUnsafeBufferPointer { ChosenTarget.value.check($0) }
                print("\(path): the properties hold")
            }
        }

        private static func end(_ text: String, _ status: Int32) {
            Terminal.complain(text)
            exit(status)
        }
    }
#endif
