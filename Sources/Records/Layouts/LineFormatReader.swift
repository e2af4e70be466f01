/// Reads the lines of a format. The pieces of the format lie flat in memory here: pieces with arrays of their own would
/// be retained and released for every line.
struct LineFormatReader {
    /// A value and how it ends.
    private struct Step {
        enum End: UInt8 {
            /// By its own shape, or at the end of the line.
            case open
            /// At the next quote that is not escaped.
            case quote
            /// At the next literal.
            case literal
        }

        /// Nil if the value is skipped.
        let field: JSONFields.Field?
        /// Whether the value is a time of a format.
        let isFormatted: Bool
        /// Whether another line may have been joined to this one in the value: it is skipped after a part of the
        /// request, or goes on to the line's end.
        let isLoose: Bool
        let form: ReceiptClock.Form
        let end: End
        /// The first byte of the literal.
        let first: UInt8
        /// The range of the literal after the value, in `literals`.
        let literal: Range<Int>
    }

    private let format: LineFormat
    private var steps: [Step] = []
    private var literals: [UInt8] = []

    init(_ format: LineFormat) {
        self.format = format
        var isAfterRequest = false
        for piece in format.pieces {
            let start = literals.count
            literals += piece.literal
            let first = piece.literal.first
            let field = piece.value?.field
            let isFormatted = if case .formattedTime = piece.value { true } else { false }
            let form = if case .time(let form) = piece.value { form } else { ReceiptClock.Form.any }
            steps.append(
                Step(
                    field: field, isFormatted: isFormatted,
                    isLoose: !isFormatted && (first == nil || isAfterRequest && field == nil), form: form,
                    end: first == nil ? .open : first == UInt8(ascii: "\"") ? .quote : .literal, first: first ?? 0,
                    literal: start..<literals.count))
            if let field, JSONFields.Field.partsOfRequest.contains(field) { isAfterRequest = true }
        }
    }

    /// Fills `fields` from left to right. If a value occurs twice, the first one counts.
    func read(_ line: Span<UInt8>, into fields: inout LogFields) throws(Misfit) {
        fields.begin(line)
        var start = try line.end(of: format.opening, at: 0, format.context(0))
        var last = start
        let steps = steps.span
        let literals = literals.span
        for index in steps.indices {
            let step = steps[index]
            if step.isFormatted {
                last = try readTime(at: index, of: line, from: start, into: &fields)
            } else {
                last = try self.end(of: step, index: index, literals: literals, in: line, from: start)
                try keep(step, of: line, at: start..<last, in: &fields)
                if step.isLoose {
                    // The line's own request is not searched for another.
                    let own = step.field == .request ? LogEscapes.endOfURI(in: line, request: start..<last) : start
                    fields.leaveLoose(line, in: own..<last)
                }
            }
            start = last + step.literal.count
        }
        fields.leaveLoose(line, in: last..<line.count)
        fields.joinURI(.inQuery)
    }

    /// The range of each value; nil if the line does not fit.
    func values(of line: Span<UInt8>) -> [Range<Int>]? {
        var fields = LogFields()
        fields.begin(line)
        guard var start = try? line.end(of: format.opening, at: 0, "") else { return nil }
        var values: [Range<Int>] = []
        for (index, step) in steps.enumerated() {
            let end =
                step.isFormatted
                ? try? readTime(at: index, of: line, from: start, into: &fields)
                : try? self.end(of: step, index: index, literals: literals.span, in: line, from: start)
            guard let end else { return nil }
            values.append(start..<end)
            start = end + step.literal.count
        }
        return values
    }

    /// The end of the value at `start`. Throws if the literal of the step does not follow it.
    @inline(__always)
    private func end(
        of step: Step, index: Int, literals: Span<UInt8>, in line: Span<UInt8>, from start: Int
    ) throws(Misfit) -> Int {
        switch step.end {
        case .open: return format.pieces[index].value?.end(in: line, from: start) ?? line.count
        case .quote:
            let quote = try line.closingQuote(from: start, format.context(index + 1))
            if step.literal.count > 1, !line.holds(literals.extracting(step.literal), at: quote) {
                // Throws at the first byte that differs.
                _ = try line.end(of: format.pieces[index].literal, at: quote, format.context(index + 1))
            }
            return quote
        case .literal:
            guard let found = literalStart(of: step, literals: literals, in: line, from: start) else {
                throw Misfit(.literal(format.pieces[index].literal), at: line.count, context: format.context(index + 1))
            }
            // The space inside `19/Nov/2026:10:00:00 +0100` ends no time.
            if step.form == .timeLocal, step.first == 0x20, line.hasOffset(at: found + 1) {
                return literalStart(of: step, literals: literals, in: line, from: found + 1) ?? found
            }
            return found
        }
    }

    @inline(__always)
    private func literalStart(of step: Step, literals: Span<UInt8>, in line: Span<UInt8>, from start: Int) -> Int? {
        var from = start
        while let found = line.firstIndex(of: step.first, from: from) {
            if step.literal.count == 1 || line.holds(literals.extracting(step.literal), at: found) { return found }
            from = found + 1
        }
        return nil
    }

    /// Reads a time of a format and returns its end. A text of another shape ends at the next literal, and is no time.
    private func readTime(
        at index: Int, of line: Span<UInt8>, from start: Int, into fields: inout LogFields
    ) throws(Misfit) -> Int {
        guard case .formattedTime(let format) = self.format.pieces[index].value else { return start }
        let literal = self.format.pieces[index].literal
        let (time, shapeEnd) = format.read(line, from: start, before: literal)
        let end: Int
        if let shapeEnd {
            end = try line.end(of: literal, at: shapeEnd, self.format.context(index + 1)) - literal.count
            let isLast = index + 1 == steps.count && literal.isEmpty
            if isLast, end < line.count, line[end] != 0x20, line[end] != 0x09 {
                throw Misfit(.literal([0x20]), at: end, context: self.format.context(index + 1))
            }
        } else {
            let next = steps[index...].firstIndex { !$0.literal.isEmpty } ?? steps.count - 1
            end = try self.end(of: steps[next], index: next, literals: literals.span, in: line, from: start)
        }
        if format.isFraction {
            fields.keepFraction(time, format: format.text, in: start..<end)
        } else {
            fields.keepTime(time, format: format.text, in: start..<end)
        }
        return end
    }

    @inline(__always)
    private func keep(
        _ step: Step, of line: Span<UInt8>, at range: Range<Int>, in fields: inout LogFields
    ) throws(Misfit) {
        switch step.field {
        case nil: break
        case .time: fields.keepTime(step.form, of: line, in: range)
        case .status: if fields[.status] == nil { try fields.keepStatus(line, in: range) }
        case let field?:
            guard fields[field] == nil else { return }
            fields[field] = fields.unescape(line, in: range)
            if field == .requestBody { fields.bodyInLine = range }
        }
    }
}
