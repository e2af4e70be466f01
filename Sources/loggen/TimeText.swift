import Reference

enum TimeText {
    /// A time in milliseconds as `strftime` writes it, `%:z` being the offset with a colon.
    static func text(of milliseconds: Int, as pattern: String, in zone: Zone) -> String {
        let time = GeneratedApacheTime(GeneratedTime(milliseconds: milliseconds, zone: zone))
        var text = time.text(pattern.replacing("%:z", with: "%z"))
        if pattern.hasSuffix("%:z") { text.insert(":", at: text.index(text.endIndex, offsetBy: -2)) }
        return text
    }
}
