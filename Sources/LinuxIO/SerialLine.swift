/// An open terminal device; closing it more than once is harmless.
protocol SerialLine: AnyObject {
    var fd: Int32 { get }
    /// Changes the speed and discards what was received at the old one.
    func setBaud(_ baud: Int) throws(SystemFailure)
    func close()
}
