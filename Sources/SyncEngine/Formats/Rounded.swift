/// Integers from one unit into another.
enum Rounded {
    /// `value × times ÷ by`, to the nearest, halves away from zero; a value too large for the product is taken as the
    /// largest that is not.
    /// - Parameters:
    ///   - times: 1…1 000 000.
    ///   - by: 1…1 000 000.
    static func scaled(_ value: Int64, times: Int64 = 1, by: Int64) -> Int64 {
        let largest = (Int64.max - by) / times
        let product = min(max(value, -largest), largest) * times
        let half = by / 2
        return product < 0 ? -((-product + half) / by) : (product + half) / by
    }

    /// mm/s in thousandths of km/h: 1 m/s is 3.6 km/h.
    static func milliKmh(_ speedMMps: Int64) -> Int64 { scaled(speedMMps, times: 18, by: 5) }

    /// mm/s in thousandths of a knot: a knot is 1 852 m in 3 600 s.
    static func milliKnots(_ speedMMps: Int64) -> Int64 { scaled(speedMMps, times: 900, by: 463) }

    /// Whole seconds that have passed, also before 1970.
    static func seconds(_ millis: Int64) -> Int64 {
        let (quotient, remainder) = millis.quotientAndRemainder(dividingBy: 1_000)
        return remainder < 0 ? quotient - 1 : quotient
    }
}
