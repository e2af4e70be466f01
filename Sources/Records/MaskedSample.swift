/// A rejected record as a person may see it: at most 200 bytes, every personal value masked.
package func maskedSample(_ evidence: Span<UInt8>) -> String {
    ""
}
