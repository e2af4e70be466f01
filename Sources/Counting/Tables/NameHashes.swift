import Events
import Hashing

/// A hash of each text behind the numbers.
struct NameHashes: Sendable {
    let sources: [UInt64]
    let actions: [UInt64]
    let deliveries: [UInt64]

    init(_ names: EventNames) {
        func hashes(_ texts: [String]) -> [UInt64] {
            texts.map { text in
                var text = text
                return text.withUTF8 { WordHash.of($0.span) }
            }
        }
        sources = hashes(names.sources)
        actions = hashes(names.actions)
        deliveries = hashes(names.deliveries)
    }
}
