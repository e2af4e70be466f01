import Events

/// Finds the platform of a user agent.
enum UserAgent {
    static let android = [ascii("Android"), ascii("Dalvik/")]
    static let ios = [ascii("iPhone"), ascii("iPad"), ascii("CPU OS "), ascii("CFNetwork/")]

    /// The platform whose marker occurs in the user agent. Android takes precedence.
    static func platform(_ text: Span<UInt8>, _ range: Range<Int>) -> Platform {
        for marker in android where text.firstIndex(of: marker, from: range.lowerBound, to: range.upperBound) != nil {
            return .android
        }
        for marker in ios where text.firstIndex(of: marker, from: range.lowerBound, to: range.upperBound) != nil {
            return .ios
        }
        return .unknown
    }
}
