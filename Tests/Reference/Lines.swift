package struct Line {
    /// 1-based.
    package var number: Int
    /// Without its line end.
    package var bytes: Bytes
}

extension Unpacked {
    /// The text without a byte order mark.
    package var body: Bytes {
        text.starts(with: [0xEF, 0xBB, 0xBF]) ? Bytes(text.dropFirst(3)) : text
    }

    /// The lines, empty ones left out. What a cut file ends with is no complete line; a damaged one ends with the member
    /// before the damage.
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
