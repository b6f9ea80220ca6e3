/// An open terminal device; closing it more than once is harmless.
protocol SerialLine: AnyObject {
    var fd: Int32 { get }
    func close()
}
