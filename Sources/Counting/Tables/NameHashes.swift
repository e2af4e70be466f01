import Events
import Hashing

/// A hash of each text behind the numbers, by number.
package struct NameHashes: Sendable {
    package let sources: [UInt64]
    package let actions: [UInt64]
    package let deliveries: [UInt64]

    package init(_ names: EventNames) {
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
