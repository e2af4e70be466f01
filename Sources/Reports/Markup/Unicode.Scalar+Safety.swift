extension Unicode.Scalar {
    /// Whether it could control a terminal or change the order of the text around it: control characters and bidirectional
    /// marks.
    package var isUnsafeToShow: Bool {
        switch value {
        case 0x00...0x1F, 0x7F...0x9F: true
        case 0x061C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: true
        default: false
        }
    }

    /// What is shown instead of an unsafe character: `\u{9b}`.
    package var shownCode: String { "\\u{\(String(value, radix: 16))}" }
}
