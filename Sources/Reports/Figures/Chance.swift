/// How far apart two figures must be before their distance is told, in standard errors.
enum Chance {
    /// What chance alone makes once in 370 times, if the standard error is known.
    static let enough = 3.0

    /// The same where the standard error comes from a scatter of so many degrees of freedom: the quantile of Student's t that
    /// belongs to a normal one, by its expansion in 1 / degrees.
    static func bound(_ normal: Double = enough, degrees: Int) -> Double {
        guard degrees > 0 else { return .infinity }
        let square = normal * normal
        let degrees = Double(degrees)
        return normal
            * (1 + (square + 1) / (4 * degrees) + (5 * square * square + 16 * square + 3) / (96 * degrees * degrees))
    }
}
