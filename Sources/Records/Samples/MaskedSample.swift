/// Masks a rejected record for display: at most 200 bytes of ASCII, with every personal value replaced by `***`.
///
///     203.0.113.7 - - [19/Nov/2026:10:00:00 +0100] "GET /r/?id=h1685a5,,7&mcId=0123… HTTP/1.1" 200 0 "-" "Mozilla/…"
///     *** - - [19/Nov/2026:10:00:00 +0100] "GET /r/?id=h1685a5,,7&mcId=*** HTTP/1.1" 200 *** "-" "***"
///
/// A line may have any format, be truncated anywhere and be escaped in any way. So the function does not search for
/// personal values. It undoes the escapes, keeps punctuation, and shows only words that are known to be harmless: a few
/// known words and times anywhere, keys, and directly after a key a value of the form that belongs to this key.
package func maskedSample(_ evidence: Span<UInt8>) -> String {
    var sample = SampleText(undoingEscapesOf: evidence)
    return sample.masked()
}
