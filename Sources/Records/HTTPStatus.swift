/// What a status means for the record that has it.
enum HTTPStatus {
    /// The reason why the record does not count; nil if it does.
    static func reason(_ text: Span<UInt8>, _ range: Range<Int>) -> FilterReason? {
        var status = 0
        for index in range {
            guard text[index].isDigit else { return .httpError }
            status = min(status * 10 + Int(text[index] - 0x30), 1000)
        }
        switch status {
        case 200..<400: return nil
        case 404: return .trackingDisabled
        default: return .httpError
        }
    }
}
