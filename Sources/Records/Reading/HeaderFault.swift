/// Why no row of a CSV file of events can be read.
package enum HeaderFault: Hashable, Codable, Sendable {
    /// The header lacks columns that the pipeline names.
    /// - found: the names of those that it has; nil for a name that may not be shown.
    case missingColumns([String], found: [String?])
    /// The header has a column twice that the pipeline names.
    case columnTwice(String)
    /// The lines end in CR alone.
    case bareReturns
    /// The header's quotes are wrong, or it is longer than 1 MiB.
    case malformed

    /// A column's name, if it is a word of a program: a letter, then letters, digits, `_`, `.`, `-` and spaces, at most
    /// 40, of which fewer than six are digits. Another could be a value of a file without a header.
    static func shownName(_ name: [UInt8]) -> String? {
        let marks = ascii("_.- ")
        guard name.first?.isLetter == true, name.count <= 40, name.count(where: \.isDigit) < 6,
            name.allSatisfy({ $0.isLetter || $0.isDigit || marks.contains($0) })
        else { return nil }
        return String(decoding: name, as: UTF8.self)
    }
}
