/// Makes the detail of a reject: why a line does not fit its layout, or why its time is invalid. It is used only for
/// rejects that are stored, because it reads the line again.
struct RejectDetail {
    let layout: Layout
    let format: RecordRules.Format
    /// The mismatch; nil if the line fits the layout.
    let misfit: Misfit?
    let timeForm: ReceiptClock.Form
    /// The byte range of the time in the line; nil if there is no time.
    let time: Range<Int>?
    /// The byte range of the body in the line.
    let body: Range<Int>

    init(_ layout: Layout, _ format: RecordRules.Format, _ misfit: Misfit?, _ fields: borrowing LogFields) {
        self.layout = layout
        self.format = format
        self.misfit = misfit
        timeForm = fields.timeForm
        time = fields.time == nil ? nil : fields.timeInLine
        body = fields.bodyInLine
    }

    /// The detail; empty if the reason needs none.
    func text(_ reason: RejectReason, _ line: Span<UInt8>) -> String {
        switch reason {
        case .malformedLine:
            if let misfit { return misfit.text(layout.name, line) }
            return format == .mzip ? form(line) : "\(layout.name): \(noRequest)"
        case .badTime where layout != .body: return badTime(line)
        default: return ""
        }
    }

    private var noRequest: String {
        if layout == .json { return "expected a string 'request', or 'request_method' and 'request_uri'; found none" }
        return "expected $request, or $request_method and $request_uri; the format has neither"
    }

    /// The fault in a form with a field `mzip`, or in a bare value.
    private func form(_ line: Span<UInt8>) -> String {
        let body = layout == .body ? 0..<line.count : body
        guard let value = MzipForm.value(line, body) else {
            return "\(layout.name): expected a field 'mzip'\(layout.bodyName.map { " in \($0)" } ?? ""); found none"
        }
        var index = value.lowerBound
        while let percent = line.firstIndex(of: UInt8(ascii: "%"), from: index, to: value.upperBound) {
            index = percent + 1
            while index <= percent + 2 {
                guard index < value.upperBound, line[index].hexValue != nil else {
                    return Misfit("a hexadecimal digit", at: index, "behind '%'").text(layout.name, line)
                }
                index += 1
            }
        }
        return ""
    }

    private func badTime(_ line: Span<UInt8>) -> String {
        guard let time else { return "\(layout.name): expected a time; found none" }
        var shape = TimeShape(line, time)
        let (name, fits) =
            switch timeForm {
            case .timeLocal: ("dd/Mon/yyyy:HH:MM:SS +hhmm", shape.isTimeLocal())
            case .iso8601: ("yyyy-mm-ddTHH:MM:SS+hh:mm", shape.isISO8601())
            case .msec: ("seconds.milliseconds", shape.isSeconds())
            case .any: ("dd/Mon/yyyy:HH:MM:SS +hhmm, yyyy-mm-ddTHH:MM:SS+hh:mm or seconds", shape.isAny())
            }
        let expected = "\(layout.name): expected a time, \(name), from byte \(time.lowerBound + 1) on; "
        if fits { return expected + "found one that does not exist" }
        let found = shape.index < time.upperBound ? Misfit.kind(line[shape.index]) : "its end"
        return expected + "found \(found) at byte \(shape.index + 1)"
    }
}

extension Layout {
    /// The name of the request's body in this layout; nil if the layout has none.
    fileprivate var bodyName: String? {
        switch self {
        case .body, .combined: nil
        case .nginx: "$request_body"
        case .json: "'request_body'"
        }
    }
}
