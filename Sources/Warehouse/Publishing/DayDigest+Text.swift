import Counting

extension DayDigest {
    /// `3d37341d2a597e4a 4341 2881 593 2`: the hash in hexadecimal digits, events, messages, opened, and the platforms of which
    /// there are arrivals.
    var text: String { "\(String(hash, radix: 16)) \(events) \(messages) \(opened) \(arrivals)" }

    /// Nil if it is not such a text.
    init?(_ text: String) {
        let parts = text.split(separator: " ", omittingEmptySubsequences: false)
        guard parts.count == 5, let hash = UInt64(parts[0], radix: 16), let events = Int(parts[1]),
            let messages = Int(parts[2]), let opened = Int(parts[3]), let arrivals = UInt8(parts[4])
        else { return nil }
        self.init()
        (self.hash, self.events, self.messages) = (hash, events, messages)
        (self.opened, self.arrivals) = (opened, arrivals)
    }
}
