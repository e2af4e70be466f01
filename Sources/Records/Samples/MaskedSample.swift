/// Masks a rejected record for display: at most 200 bytes of ASCII, with every personal value replaced by `***`.
///
///     203.0.113.7 - - [19/Nov/2026:10:00:00 +0100] "GET /r/?id=h1685a5,,7&mcId=0123… HTTP/1.1" 200 0 "-" "Mozilla/…"
///     *** - - [19/Nov/2026:10:00:00 +0100] "GET /r/?id=h1685a5,,7&mcId=*** HTTP/1.1" 200 *** "-" "***"
///
/// A line may have any format, be truncated anywhere and be escaped in any way. So the function does not search for
/// personal values. It undoes the escapes, keeps punctuation, and shows only words that are known to be harmless: a few
/// known words and times anywhere, keys, and directly after a key a value of the form that belongs to this key.
package func maskedSample(of evidence: Span<UInt8>, keys: SampleKeys) -> String {
    if keys.areOfRows { return maskedRow(of: evidence, keys: keys) }
    var sample = SampleText(undoingEscapesOf: evidence, keys: keys)
    return sample.masked()
}

/// Masks a row of CSV, which has no keys. A value is shown if it has the form of one that a row may show.
private func maskedRow(of evidence: Span<UInt8>, keys: SampleKeys) -> String {
    var output: [UInt8] = []
    var start = 0
    for index in 0...evidence.count {
        let byte = index < evidence.count ? evidence[index] : UInt8(ascii: ",")
        guard [UInt8(ascii: ","), UInt8(ascii: ";"), 0x09].contains(byte) else { continue }
        let value = evidence.indices[start..<index].map { evidence[$0] }
        let isShown = keys.kindsInRows.contains { keys.mayShow(value, as: $0) }
        output += isShown || value.isEmpty ? value : SampleText.mask
        if index < evidence.count { output.append(byte) }
        start = index + 1
    }
    return String(decoding: output.prefix(SampleText.limit), as: UTF8.self)
}
