extension LineParser {
    /// The detail of a reject: why a line does not fit its layout, or why its time is invalid. Empty if the reason
    /// needs none. It is made only for rejects that are stored, because it reads the line again.
    func detail(of reason: RejectReason, fields: borrowing LogFields, line: Span<UInt8>) -> String {
        switch reason {
        case .malformedLine:
            if let misfit { return misfit.text(layout: layout.name, record: line, from: recordOffset) }
            return format == .mzip ? formFault(fields: fields, line: line) : "\(layout.name): \(layout.missingRequest)"
        case .badTime where layout != .body: return badTime(fields: fields, line: line)
        default: return ""
        }
    }

    /// The fault in a form with a field `mzip`, or in a bare value.
    private func formFault(fields: borrowing LogFields, line: Span<UInt8>) -> String {
        let body = layout == .body ? 0..<line.count : fields.bodyInLine
        guard let value = MzipForm.value(line, in: body) else {
            return "\(layout.name): expected a field 'mzip'\(layout.bodyName.map { " in \($0)" } ?? ""); found none"
        }
        var index = value.lowerBound
        while let percent = line.firstIndex(of: UInt8(ascii: "%"), from: index, to: value.upperBound) {
            index = percent + 1
            while index <= percent + 2 {
                guard index < value.upperBound, line[index].hexValue != nil else {
                    return Misfit("a hexadecimal digit", at: index, context: "after '%'").text(
                        layout: layout.name, record: line, from: recordOffset)
                }
                index += 1
            }
        }
        return ""
    }

    private func badTime(fields: borrowing LogFields, line: Span<UInt8>) -> String {
        guard let fault = fields.timeFault(of: line, clock: clock) else {
            return "\(layout.name): expected a time; found none"
        }
        let form =
            switch fields.timeForm {
            case _ where fields.timeFormat != nil: fields.timeFormat ?? ""
            case .timeLocal: "dd/Mon/yyyy:HH:MM:SS +hhmm"
            case .iso8601: "yyyy-mm-ddTHH:MM:SS+hh:mm"
            case .msec: "seconds.milliseconds"
            case .any: "dd/Mon/yyyy:HH:MM:SS +hhmm, yyyy-mm-ddTHH:MM:SS+hh:mm or a unix time"
            }
        var found = "\(fault)"
        if case .shape(let offset) = fault {
            // A time of a format may take the rest of the line.
            let end = fields.timeFormat == nil ? fields.timeInLine.upperBound : line.count
            let byte =
                offset < end
                ? Misfit.kind(line[offset]) : fields.timeFormat == nil ? "its end" : "the end of the line"
            found = "\(byte) at byte \(recordOffset + offset + 1)"
        } else if case .noSuchOffset = fault, form.contains("%Z") {
            found = "a zone that is neither GMT, UTC, Z nor an offset"
        }
        let first = recordOffset + fields.timeInLine.lowerBound + 1
        return "\(layout.name): expected a time, \(form), from byte \(first) on; found \(found)"
    }
}
