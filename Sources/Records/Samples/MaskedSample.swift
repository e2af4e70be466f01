/// A rejected record as a person may see it: at most 200 bytes of ASCII, every personal value masked.
///
///     203.0.113.7 - - [19/Nov/2026:10:00:00 +0100] "GET /r/?id=h1685a5,,7&mcId=0123… HTTP/1.1" 200 0 "-" "Mozilla/…"
///     *** - - [19/Nov/2026:10:00:00 +0100] "GET /r/?id=h1685a5,,7&mcId=*** HTTP/1.1" 200 *** "-" "***"
///
/// The line may be of any format, cut anywhere and escaped in any way, so nothing is looked for and taken out. Rather, the
/// escapes are undone, punctuation is kept, and of the words between it only those that are known to be harmless: a few
/// well-known ones and times wherever they stand, keys, and right behind a key a value of the form that the key asks for.
package func maskedSample(_ evidence: Span<UInt8>) -> String {
    var sample = SampleText(undoingEscapesOf: evidence)
    return sample.masked()
}
