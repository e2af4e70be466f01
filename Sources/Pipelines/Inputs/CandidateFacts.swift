import LogFiles

/// What is known of a file that may be one of the last load under another name.
struct CandidateFacts: Codable, Hashable, Sendable {
    let outline: FileOutline
    /// Nil if it was not unpacked.
    var reading: ContentReading?

    init(outline: FileOutline, reading: ContentReading? = nil) {
        self.outline = outline
        self.reading = reading
    }

    /// Whether the first so many bytes of its content are known, or that it has fewer.
    func covers(_ bytes: Int) -> Bool {
        guard let reading else { return false }
        return reading.prefixes.contains { $0.content.bytes == bytes }
            || reading.whole.map { $0.content.bytes < bytes } ?? false
    }
}
