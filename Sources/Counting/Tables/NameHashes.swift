import Events
import Hashing

/// The hash of each name, by the name's number in a partition.
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
