// Texts from outside, such as file names, ids and values of the pipeline file, are shown with unsafe characters escaped.

extension String {
    /// The text on one line, in which each unsafe character is written as `\u{9b}`.
    package var shown: String { escaped(by: String.escape) }

    /// The same for a text of several lines, with the line breaks kept.
    package var shownLines: String { escaped(keeping: "\n", by: String.escape) }

    private static func escape(_ scalar: Unicode.Scalar) -> String { scalar.shownCode }

    /// A JSON text in which unsafe characters are written as `\u009b`. They can only stand in its strings, where JSON allows
    /// both.
    package var shownJSON: String {
        escaped(keeping: "\n") { scalar in
            let digits = String(scalar.value, radix: 16)
            return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }
    }

    private func escaped(keeping kept: Unicode.Scalar? = nil, by escape: (Unicode.Scalar) -> String) -> String {
        guard unicodeScalars.contains(where: { $0.isUnsafeToShow && $0 != kept }) else { return self }
        var text = UnicodeScalarView()
        for scalar in unicodeScalars {
            if scalar.isUnsafeToShow && scalar != kept {
                text.append(contentsOf: escape(scalar).unicodeScalars)
            } else {
                text.append(scalar)
            }
        }
        return String(text)
    }
}

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
