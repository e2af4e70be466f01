extension LineParser {
    /// The detail of a reject: why a line does not fit its layout, or why its time is invalid. Empty if the reason needs
    /// none. It is made only for rejects that are stored, because it reads the line again.
    func detail(_ reason: RejectReason, _ fields: borrowing LogFields, _ line: Span<UInt8>) -> String {
        switch reason {
        case .malformedLine:
            if let misfit { return misfit.text(layout.name, line, from: recordOffset) }
            return format == .mzip ? form(fields, line) : "\(layout.name): \(layout.missingRequest)"
        case .badTime where layout != .body: return badTime(fields, line)
        default: return ""
        }
    }

    /// The fault in a form with a field `mzip`, or in a bare value.
    private func form(_ fields: borrowing LogFields, _ line: Span<UInt8>) -> String {
        let body = layout == .body ? 0..<line.count : fields.bodyInLine
        guard let value = MzipForm.value(line, body) else {
            return "\(layout.name): expected a field 'mzip'\(layout.bodyName.map { " in \($0)" } ?? ""); found none"
        }
        var index = value.lowerBound
        while let percent = line.firstIndex(of: UInt8(ascii: "%"), from: index, to: value.upperBound) {
            index = percent + 1
            while index <= percent + 2 {
                guard index < value.upperBound, line[index].hexValue != nil else {
                    return Misfit("a hexadecimal digit", at: index, "after '%'").text(
                        layout.name, line, from: recordOffset)
                }
                index += 1
            }
        }
        return ""
    }

    private func badTime(_ fields: borrowing LogFields, _ line: Span<UInt8>) -> String {
        guard fields[.time] != nil else { return "\(layout.name): expected a time; found none" }
        let time = fields.timeInLine
        if let format = fields.timeFormat {
            let found = format.misfit.map {
                "\($0 < line.count ? Misfit.kind(line[$0]) : "the end of the line") at byte \(recordOffset + $0 + 1)"
            }
            return
                "\(layout.name): expected a time, \(format.text), from byte \(recordOffset + time.lowerBound + 1) on; "
                + "found \(found ?? "\(fields.timeFault(clock.zone))")"
        }
        var shape = TimeShape(line, time)
        let (name, fits) =
            switch fields.timeForm {
            case .timeLocal: ("dd/Mon/yyyy:HH:MM:SS +hhmm", shape.isTimeLocal())
            case .iso8601: ("yyyy-mm-ddTHH:MM:SS+hh:mm", shape.isISO8601())
            case .msec: ("seconds.milliseconds", shape.isSeconds())
            case .any, .anyUnit, .named:
                ("dd/Mon/yyyy:HH:MM:SS +hhmm, yyyy-mm-ddTHH:MM:SS+hh:mm or seconds", shape.isAny())
            }
        let expected = "\(layout.name): expected a time, \(name), from byte \(recordOffset + time.lowerBound + 1) on; "
        if fits { return expected + "found \(fields.timeFault(clock.zone))" }
        let found = shape.index < time.upperBound ? Misfit.kind(line[shape.index]) : "its end"
        return expected + "found \(found) at byte \(recordOffset + shape.index + 1)"
    }
}
