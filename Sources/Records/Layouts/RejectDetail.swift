/// What a reject's detail says: why a line does not fit its layout, or why the layout's time is none. It is made for
/// rejects that are kept, since it reads once more what the parser has read already.
struct RejectDetail {
    let layout: Layout
    let format: RecordRules.Format
    /// Where the line stopped to fit; nil if the layout itself fits.
    let misfit: Misfit?
    let timeForm: ReceiptClock.Form
    /// Where the time lies in the line; nil if there is none.
    let time: Range<Int>?
    /// Where the body lies in the line.
    let body: Range<Int>

    init(_ layout: Layout, _ format: RecordRules.Format, _ misfit: Misfit?, _ fields: borrowing LogFields) {
        self.layout = layout
        self.format = format
        self.misfit = misfit
        timeForm = fields.timeForm
        time = fields.time == nil ? nil : fields.timePlace
        body = fields.bodyPlace
    }

    /// Empty if the reason says all.
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

    /// What is wrong with the form that holds a `mzip` field, or with a bare value.
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
    /// What it calls the request's body; nil if the line is the body.
    fileprivate var bodyName: String? {
        switch self {
        case .body, .combined: nil
        case .nginx: "$request_body"
        case .json: "'request_body'"
        }
    }
}
