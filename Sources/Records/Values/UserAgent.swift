import Events

/// The platform that a user agent speaks of.
enum UserAgent {
    static let android = [ascii("Android"), ascii("Dalvik/")]
    static let ios = [ascii("iPhone"), ascii("iPad"), ascii("CPU OS "), ascii("CFNetwork/")]

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
