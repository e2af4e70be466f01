/// Reads the events of a CSV file with a header: the layout `csv`.
///
///     message_id;sent_at;opened_at⏎                          a header
///     57a;2026-11-19 09:00:00;2026-11-19 09:01:12⏎           with `times`, a record for each time
///     57b;"2026-11-19 09:00:05";⏎                            an empty value is missing
///
/// A row whose quotes are wrong, which has more values than the header, or which is longer than 1 MiB is one reject,
/// and reading goes on at the line after the one on which it began. So a quote that is never closed loses its own line
/// alone. Where one quote is open for many lines, none of these opens another. Where each line opens one, as `27","`
/// does, the next line closes it, and the row has too many values before it is long.
///
/// A row with the header's names is no record, since exports may have been joined.
package struct RowReader {
    private var reader = CSVReader()
    private var rules: PayloadRules
    /// Texts of which a line that cannot be read has one if it is to be filtered.
    private let skip: [[UInt8]]
    private var header: CSVHeader
    /// By path of the rules, its value in the row that is read. The last is the row itself.
    private var values: [JSONValue]
    private let ends: [Int]
    /// The fields of a row in which bytes are left out, such as the first of two quotes.
    private var copy = CSVRow()
    private var evidence: [UInt8] = []
    private var delivery: [UInt8] = []
    /// The 1-based line of the first byte that has not been taken.
    private var line = 1
    /// After a row that cannot be read: in a line that is not read.
    private var skipsLine = false
    /// Why no row can be read; nil if there is nothing against it.
    package var headerFault: HeaderFault? { header.fault }

    package init(_ rules: RecordRules) {
        self.rules = PayloadRules(rules)
        skip = rules.skip.map { ascii($0) }
        header = CSVHeader(of: self.rules)
        values = self.rules.paths.map { JSONValue(kind: $0.isEmpty ? .object : .missing) }
        ends = Array(values.indices)
    }

    /// The names of the actions by their indices, with those that were learned.
    package var actions: [UInt16: String] { rules.actions.names }

    /// Whether the zone decided what a time means.
    package var hasUsedZone: Bool { rules.hasUsedZone }

    /// Must be called before each file.
    package mutating func beginFile() {
        reader = CSVReader()
        header = CSVHeader(of: rules)
        line = 1
        skipsLine = false
    }

    /// Reads every row that ends in `bytes`. The result does not depend on how the file is cut into calls.
    /// - Parameters:
    ///   - bytes: the bytes that earlier calls did not take, followed by the next bytes of the file.
    ///   - ending: what follows `bytes`.
    /// - Returns: the number of bytes taken. Pass the other bytes again.
    package mutating func read(
        _ bytes: Span<UInt8>, ending: BodyReader.Ending, into sink: inout some RecordSink
    ) -> Int {
        var index = 0
        while index < bytes.count {
            if header.fault != nil { return bytes.count }
            if skipsLine {
                guard let feed = bytes.firstIndex(of: 0x0A, from: index) else { return bytes.count }
                index = feed + 1
                skipsLine = false
                line += 1
                continue
            }
            let atEnd = ending == .fileEnds
            let most = header.isRead ? header.count : .max
            var found = reader.read(bytes, from: index, atEnd: atEnd, most: most)
            if !header.isRead, found == .openQuote || found == .tooLong {
                header.refuse(bytes, from: index)
                return bytes.count
            }
            if case .row = found, bytes.holds(Self.byteOrderMark, at: index), index + 3 < bytes.count {
                // Of a joined export, the mark is no part of the header's first name. In other rows it stays.
                let unmarked = reader.read(bytes, from: index + 3, atEnd: atEnd, most: most)
                if unmarked == .unfinished, ending == .moreComes { return index }
                if case .row = unmarked, header.takeRow(of: reader, in: bytes) {
                    found = unmarked
                } else {
                    found = reader.read(bytes, from: index, atEnd: atEnd, most: most)
                }
            }
            switch found {
            case .unfinished:
                // The file is cut off within the row, which is in no count. If its first line is whole, and what
                // follows shows that it begins no row, that line is a reject.
                guard ending == .cut, header.isRead, bytes.firstIndex(of: 0x0A, from: index) != nil,
                    !isSound(bytes, from: index, into: &sink)
                else { return index }
            case .emptyLine(let end):
                index = end
                line += 1
            case .row(let end) where header.takeRow(of: reader, in: bytes):
                index = end
                line += reader.lineFeeds + 1
            case .row(let end):
                guard isSound(bytes, from: index, into: &sink) else { continue }
                emit(bytes, into: &sink)
                index = end
                line += reader.lineFeeds + 1
            case .openQuote, .tooLong:
                let detail = detailOfOpenQuote(from: index)
                reject(found == .tooLong ? .lineTooLong : .malformedLine, in: bytes, from: index, into: &sink) { _ in
                    detail
                }
            }
        }
        return index
    }

    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    /// Whether the row that was read has the form of a row of this file. One that has not is rejected.
    private mutating func isSound(_ bytes: Span<UInt8>, from start: Int, into sink: inout some RecordSink) -> Bool {
        if let misfit = reader.misfit, let separator = reader.separator {
            let fault = Misfit(.byte(separator), at: misfit - start, context: "after a value in quotes")
            reject(.malformedLine, in: bytes, from: start, into: &sink) {
                fault.text(layout: "csv", record: $0, from: 0)
            }
            return false
        }
        guard reader.fields.count > header.count else { return true }
        // The field ends there, or with a quote.
        var end = reader.fields[header.count - 1].upperBound
        if bytes[end] == UInt8(ascii: "\"") { end += 1 }
        let fault = Misfit("the end of the row", at: end - start, context: "after \(header.count) values")
        reject(.malformedLine, in: bytes, from: start, into: &sink) { fault.text(layout: "csv", record: $0, from: 0) }
        return false
    }

    /// Rejects the line that begins at `start`, and goes on after it.
    /// - Parameter detail: takes the bytes from there.
    private mutating func reject(
        _ reason: RejectReason, in bytes: Span<UInt8>, from start: Int, into sink: inout some RecordSink,
        detail: (Span<UInt8>) -> String
    ) {
        sink.begin(line: line)
        let end = bytes.firstIndex(of: 0x0A, from: start) ?? bytes.count
        if reason == .malformedLine, skip.contains(where: { bytes.firstIndex(of: $0, from: start, to: end) != nil }) {
            sink.filter(.skipped)
        } else {
            let record = bytes.extracting(start..<bytes.count)
            // What a value of such a row belongs to is not known.
            evidence = SampleText.mask
            sink.reject(reason, line: line, detail: { detail(record) }, evidence: evidence.span)
        }
        skipsLine = true
    }

    /// That a quote of the row that begins at `start` is not closed; empty if none is open.
    private func detailOfOpenQuote(from start: Int) -> String {
        reader.openQuote.map { "csv: expected a quote that closes the one at byte \($0 - start + 1); found none" } ?? ""
    }

    /// Passes the records of the row that was read to the sink.
    private mutating func emit(_ bytes: Span<UInt8>, into sink: inout some RecordSink) {
        sink.begin(line: line)
        if reader.omitted.isEmpty {
            emit(bytes, fields: reader.fields, into: &sink)
        } else {
            var copy = exchange(&self.copy, with: CSVRow())
            defer { self.copy = copy }
            copy.copy(reader, of: bytes)
            emit(copy.bytes.span, fields: copy.ranges, into: &sink)
        }
    }

    /// - Parameter fields: their ranges in `text`.
    private mutating func emit(_ text: Span<UInt8>, fields: [Range<Int>], into sink: inout some RecordSink) {
        var values = exchange(&self.values, with: [])
        defer { self.values = values }
        for path in header.columns.indices {
            let column = header.columns[path]
            let field = column < fields.count ? fields[column] : 0..<0
            // An empty value is missing.
            values[path] = JSONValue(
                kind: field.isEmpty ? .missing : .string, start: field.lowerBound, end: field.upperBound)
        }
        let ends = ends
        let captured = CapturedValues(values.span, ends: ends.span)
        for record in 0..<(rules.needsBegin ? rules.begin(text, values: captured) : 1) {
            let receipt = PayloadRules.Receipt()
            switch rules.evaluate(record, of: text, values: captured, receipt: receipt, delivery: &delivery) {
            case .accept(let record): sink.accept(record, delivery: delivery.span, names: rules.names)
            case .filter(let reason): sink.filter(reason)
            case .reject(let reason):
                evidence = header.evidence(of: fields, in: text, separator: reader.separator ?? 0)
                sink.reject(reason, line: line, evidence: evidence.span)
            }
        }
    }
}
