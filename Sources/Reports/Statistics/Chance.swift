/// The distance between two figures, in standard errors, from which it is reported.
enum Chance {
    /// Chance alone exceeds this once in 370 cases, if the standard error is known.
    static let enough = 3.0

    /// The same bound where the standard error was estimated with `degrees` degrees of freedom: the quantile of
    /// Student's t that belongs to the normal one, by its expansion in 1 / degrees.
    static func bound(_ normal: Double = enough, degrees: Int) -> Double {
        guard degrees > 0 else { return .infinity }
        let square = normal * normal
        let degrees = Double(degrees)
        return normal
            * (1 + (square + 1) / (4 * degrees) + (5 * square * square + 16 * square + 3) / (96 * degrees * degrees))
    }
}
