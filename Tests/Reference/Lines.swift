package struct Line {
    /// Counted from 1.
    package var number: Int
    /// Without its line end.
    package var bytes: Bytes
    /// Whether the file ends inside it.
    var isCut = false
}

extension Unpacked {
    /// The text without a byte order mark.
    package var body: Bytes {
        text.starts(with: [0xEF, 0xBB, 0xBF]) ? Bytes(text.dropFirst(3)) : text
    }

    /// The lines that are not empty. The unfinished last line of a truncated file is left out. The last line before a bad
    /// member counts.
    package var lines: [Line] { allLines.filter { !$0.isCut } }

    /// The lines that are not empty.
    var allLines: [Line] {
        let pieces = body.pieces("\n")
        var lines: [Line] = []
        for (index, piece) in pieces.enumerated() {
            let bytes = piece.last == UInt8(ascii: "\r") ? Bytes(piece.dropLast()) : piece
            let isCut = status == .truncated && index == pieces.count - 1
            if !bytes.isEmpty { lines.append(Line(number: index + 1, bytes: bytes, isCut: isCut)) }
        }
        return lines
    }
}

package let longestLine = 1 << 20
/// A users_track body, or an object of a line.
package let longestBody = 8 << 20

/// What a line of JSON objects is made of.
enum LinePiece {
    case object(Bytes)
    /// No object, or a faulty one.
    case faulty(Bytes)
    /// What follows a faulty object.
    case rest(Bytes)
    case tooLong
}

extension Line {
    /// Its objects. After a faulty or too long one comes nothing more, but for what follows in the line.
    var objects: [LinePiece] {
        var pieces: [LinePiece] = []
        var position = 0
        while true {
            position +=
                Bytes(bytes[position...]).prefix { isWhiteSpace($0) || $0 == 0 || $0 == UInt8(ascii: ",") }.count
            guard position < bytes.count else { return pieces }
            let isLong = bytes.count - position > longestBody
            let text = Bytes(bytes[position...].prefix(longestBody))
            var isUnfinished = false
            if text.hasPrefix("{") {
                do throws(JSONFault) {
                    let (_, end) = try JSONReader.object(in: text, at: 0, checksUTF8: false)
                    pieces.append(.object(Bytes(text[..<end])))
                    position += end
                    continue
                } catch {
                    isUnfinished = error == .unfinished
                }
            }
            if isCut, !isLong { return pieces }
            if isUnfinished, isLong { return pieces + [.tooLong] }
            let end = endOfFaultyObject(text)
            let rest = text.dropFirst(end).drop { isWhiteSpace($0) || $0 == 0 || $0 == UInt8(ascii: ",") }
            return pieces + [.faulty(Bytes(text[..<end]))] + (rest.isEmpty ? [] : [.rest(Bytes(rest))])
        }
    }
}

/// The offset after the brace that closes the object at the front, whatever is in it. If none does, that of the text's end.
private func endOfFaultyObject(_ text: Bytes) -> Int {
    guard text.hasPrefix("{") else { return text.count }
    var (depth, isString, index) = (0, false, 0)
    while index < text.count {
        switch Character(Unicode.Scalar(text[index])) {
        case "\\" where isString: index += 1
        case "\"": isString.toggle()
        case "{" where !isString: depth += 1
        case "}" where !isString: depth -= 1
        default: break
        }
        index += 1
        if depth == 0 { return index }
    }
    return text.count
}
