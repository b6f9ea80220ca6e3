// With -DFUZZER, which scripts/fuzz gives together with libFuzzer, this is the program.
#if FUZZER
    import CLibFuzzer

    /// Under the name that the package manager gives the entry of this program.
    @_cdecl("tracker_fuzz_main")
    public func guidedFuzzerMain(
        _ count: Int32, _ words: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
    ) -> Int32 {
        var (count, words) = (count, words)
        return LLVMFuzzerRunDriver(&count, &words) { fuzzOneInput($0, $1) }
    }

    /// libFuzzer has a `main` of its own, which is not used here but refers to this name.
    @_cdecl("LLVMFuzzerTestOneInput")
    public func fuzzOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
        ChosenTarget.value.check(UnsafeBufferPointer(start: bytes, count: bytes == nil ? 0 : count))
        return 0
    }
#endif
