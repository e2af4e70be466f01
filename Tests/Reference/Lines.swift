package struct Line {
    /// Counted from 1.
    package var number: Int
    /// Without its line end.
    package var bytes: Bytes
}

extension Unpacked {
    /// The text without a byte order mark.
    package var body: Bytes {
        text.starts(with: [0xEF, 0xBB, 0xBF]) ? Bytes(text.dropFirst(3)) : text
    }

    /// The lines that are not empty. The unfinished last line of a truncated file is left out. The last line before a bad
    /// member counts.
    package var lines: [Line] {
        var pieces = body.pieces("\n")
        if status == .truncated { pieces.removeLast() }
        var lines: [Line] = []
        for (index, piece) in pieces.enumerated() {
            let bytes = piece.last == UInt8(ascii: "\r") ? Bytes(piece.dropLast()) : piece
            if !bytes.isEmpty { lines.append(Line(number: index + 1, bytes: bytes)) }
        }
        return lines
    }
}

package let longestLine = 1 << 20
package let longestBody = 8 << 20
