/// Cuts CSV (RFC 4180) into rows.
///
///     "delivery_id";"label"⏎           delivery_id    label
///     d57fd6;"Black ""Friday"";        d57fd6         Black "Friday";
///     wave 2"⏎                                        wave 2
///
/// - Fields are separated by whichever of `,`, `;` and tab stands first in the first row outside quotes; by `,` if none
///   does.
/// - A field that begins with a quote ends at the next quote that is not doubled. What else follows up to the separator
///   is a misfit, and belongs to the field. Quotes elsewhere are characters like others.
/// - Rows end in LF or CRLF, outside quotes. An empty line is no row.
package struct CSVReader {
    /// The most bytes of a row, without its line end. It bounds the memory where a quote is not closed.
    package static let longestRow = 1 << 20
    /// A row with fewer bytes is read to its end, even if it has too many fields.
    private static let shortRow = 1 << 10

    /// What begins at an offset.
    package enum Found: Equatable {
        /// A row, whose fields the reader has. The next row begins at `end`.
        case row(end: Int)
        case emptyLine(end: Int)
        /// The row may go on after the bytes. The reader has its fields so far, and the one that may go on.
        case unfinished
        /// The file ends within quotes.
        case openQuote
        case tooLong
    }

    private static let quote = UInt8(ascii: "\"")

    /// Nil before the first row.
    package private(set) var separator: UInt8?
    // Of the row that was read last:
    /// The ranges of the fields in the bytes, without their quotes.
    private(set) var fields: [Range<Int>] = []
    /// The offsets of the bytes in `fields` that belong to no field: the first of two quotes, and a quote that another
    /// byte than a separator follows.
    private(set) var omitted: [Int] = []
    /// The offset of the first byte after a closing quote, where that is neither a separator nor a line end.
    private(set) var misfit: Int?
    /// The number of line feeds within the fields.
    package private(set) var lineFeeds = 0
    /// The offset of the quote that is open where the row has no end; nil if none is.
    package private(set) var openQuote: Int?

    package init() {}

    /// Reads the row that begins at `start`.
    /// - Parameters:
    ///   - atEnd: whether the file ends after the bytes.
    ///   - most: the most fields of a sound row. Of a long row of several lines with more, one more is read. Otherwise a file in
    ///     which each line opens a quote would be read anew up to the greatest length for each.
    package mutating func read(_ bytes: Span<UInt8>, from start: Int, atEnd: Bool, most: Int = .max) -> Found {
        assert(start < bytes.count)
        fields.removeAll(keepingCapacity: true)
        omitted.removeAll(keepingCapacity: true)
        misfit = nil
        lineFeeds = 0
        openQuote = nil
        // A row of the greatest length may still end in CRLF.
        let end = min(bytes.count, start + Self.longestRow + 2)
        let separator = separator ?? Self.firstSeparator(in: bytes, range: start..<end)
        var index = start
        while true {
            let isQuoted = index < end && bytes[index] == Self.quote
            var content = index..<index
            if isQuoted {
                openQuote = index
                guard let closing = closingQuote(bytes, after: index, to: end) else {
                    if end - start > Self.longestRow, end < bytes.count || atEnd { return .tooLong }
                    if atEnd { return .openQuote }
                    fields.append(index..<index)
                    return .unfinished
                }
                openQuote = nil
                content = index + 1..<closing
                index = closing + 1
            }
            let rest = index
            while index < end, bytes[index] != separator, bytes[index] != 0x0A { index &+= 1 }
            let isLast = index == end || bytes[index] == 0x0A
            if index == end, end < bytes.count { return .tooLong }
            let hasReturn = isLast && index > rest && bytes[index - 1] == 0x0D
            let fieldEnd = hasReturn ? index - 1 : index
            if fieldEnd > rest {
                if isQuoted {
                    misfit = misfit ?? rest
                    omitted.append(rest - 1)
                }
                content = (isQuoted ? content.lowerBound : rest)..<fieldEnd
            } else if !isQuoted {
                content = rest..<rest
            }
            fields.append(content)
            if index == end, !atEnd { return .unfinished }
            guard isLast else {
                index += 1
                if lineFeeds == 0 || fields.count < most || index - start < Self.shortRow { continue }
                fields.append(index..<index)
                return .row(end: index)
            }
            let next = min(index + 1, bytes.count)
            if fields.count == 1, content.isEmpty, !isQuoted { return .emptyLine(end: next) }
            guard fieldEnd - start <= Self.longestRow else { return .tooLong }
            self.separator = separator
            return .row(end: next)
        }
    }

    /// The offset of the quote that closes the one at `start`; nil if that is not before `end`.
    private mutating func closingQuote(_ bytes: Span<UInt8>, after start: Int, to end: Int) -> Int? {
        var from = start + 1
        while let quote = bytes.firstIndex(of: Self.quote, from: from, to: end) {
            lineFeeds += bytes.lineFeeds(in: from..<quote)
            guard quote + 1 < end, bytes[quote + 1] == Self.quote else {
                // The next byte may be another quote.
                return quote + 1 == end && end < bytes.count ? nil : quote
            }
            omitted.append(quote)
            from = quote + 2
        }
        return nil
    }

    /// The first byte in a row that may separate fields, outside of quotes.
    private static func firstSeparator(in bytes: Span<UInt8>, range: Range<Int>) -> UInt8 {
        var isInQuotes = false
        var mayOpen = true
        for index in range {
            let byte = bytes[index]
            // A doubled quote closes and opens again.
            if byte == quote, isInQuotes || mayOpen { isInQuotes.toggle() }
            mayOpen = byte == quote && mayOpen
            if isInQuotes {
                mayOpen = true
                continue
            }
            if byte == UInt8(ascii: ",") || byte == UInt8(ascii: ";") || byte == 0x09 { return byte }
            if byte == 0x0A { break }
        }
        return UInt8(ascii: ",")
    }
}

extension Span<UInt8> {
    /// The number of line feeds in a range.
    package func lineFeeds(in range: Range<Int>) -> Int {
        var number = 0
        var from = range.lowerBound
        while let feed = firstIndex(of: 0x0A, from: from, to: range.upperBound) {
            number += 1
            from = feed + 1
        }
        return number
    }
}
