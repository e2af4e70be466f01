import Calendar
import Reference

/// Spells lines in the run's layout.
struct LineSpeller: ~Copyable {
    enum Field: String {
        case address, user, time, request, status, size, referer, agent, body
        case method, target, path, query, url, absolute
        /// The time as the layout usually has it.
        case usual
    }

    let layout: Layout
    private let zone: ZoneRules
    private let template: Template<Field>
    private let clock: String
    private let zoneText: String?
    private let escaping: Escaping
    private let more: String
    private var time = Bytes()
    private var timeSecond = Int.min
    private let usesParts: Bool
    private var parts = RequestParts([])

    init(layout: Layout, zone: ZoneRules) {
        self.layout = layout
        self.zone = zone
        template = Template(layout.line)
        (clock, zoneText, escaping, more) = layout.format
        usesParts = !layout.line.contains("$request")
    }

    mutating func write(_ line: WebLine, into buffer: inout Bytes) {
        if let raw = line.raw {
            buffer.append(raw)
        } else {
            remember(line.time)
            if usesParts { parts = RequestParts(line.request) }
            template.write(into: &buffer) { write($0, of: line, into: &$1) }
            if line.shape == .longer { buffer.append(more) }
        }
        buffer.append(line.ending)
    }

    /// Returns false if the line ends there.
    private func write(_ field: Field, of line: WebLine, into buffer: inout Bytes) -> Bool {
        let start = buffer.count
        var goesOn = true
        switch field {
        case .address: buffer.append(line.address)
        case .user: buffer.append(line.user)
        case .time: writeTime(of: line, into: &buffer)
        case .usual: buffer += time
        case .status:
            let isText = layout.isJSON && Int(line.status) == nil
            buffer.append(isText ? "\"\(line.status)\"" : line.status)
        case .size:
            buffer.append(line.size)
            goesOn = line.shape != .common
        case .referer: buffer.append(line.referer)
        case .agent:
            var escaping = escaping
            if line.shape == .apache, layout == .combined { escaping = .json }
            // A quote without an end makes a line that does not fit.
            if line.shape == .open, layout.hasColumns { buffer.append(0x22) }
            escaping.append(line.agent, to: &buffer)
            goesOn = line.shape != .open || layout.hasColumns || layout.hasBodies
        case .body:
            escaping.append(line.body ?? Bytes(layout.isJSON ? "" : "-"), to: &buffer)
            goesOn = line.shape != .open
        case .method:
            if parts.isMethod || layout.isJSON { escaping.append(parts.method, to: &buffer) }
        case .query: escaping.append(parts.query, to: &buffer)
        case .request, .target, .path, .url, .absolute:
            if field == .url, !parts.target.isEmpty { buffer.append("https://track.example.com") }
            let text =
                switch field {
                case .request: line.request
                case .path: parts.path
                case .absolute: parts.absolute
                default: parts.target
                }
            // A line that is cut ends in the middle of it, or after it in JSON.
            let isHalf = line.shape == .cut && !layout.isJSON
            escaping.append(isHalf ? Bytes(text.prefix(text.count / 2)) : text, to: &buffer)
            if line.shape == .statusless { buffer.append("\"") }
            goesOn = line.shape != .cut && line.shape != .statusless
        }
        // A column is never empty.
        if buffer.count == start, layout.hasColumns { buffer.append("-") }
        return goesOn
    }

    /// Makes the usual text of a time. It is kept from line to line, since neighbours share their second.
    private mutating func remember(_ milliseconds: Int) {
        let second = floored(milliseconds, by: 1000)
        guard second != timeSecond else { return }
        timeSecond = second
        var text = Bytes()
        write(milliseconds, offset: zone.offset(at: second), into: &text)
        time = text
    }

    private func writeTime(of line: WebLine, into buffer: inout Bytes) {
        if let text = line.timeText {
            let parts = text.split(separator: "T", maxSplits: 1)
            switch layout {
            case .w3c, .cloudfront:
                buffer.append("\(parts[0])\(layout == .w3c ? " " : "\t")\(parts.count > 1 ? parts[1] : "-")")
            case .caddy: buffer.append("\"\(text)\"")
            default: buffer.append(text)
            }
            return
        }
        let second = floored(line.time, by: 1000)
        let offset = zone.offset(at: second)
        switch line.clock {
        case .usual: buffer += time
        case .utc: write(line.time, offset: 0, into: &buffer)
        case .west: write(line.time, offset: -18_000, into: &buffer)
        case .zoneless: write(line.time, offset: offset, isZoned: zone.turns(near: second), into: &buffer)
        case .leapSecond: write(line.time - 1000, offset: offset, isLeap: true, into: &buffer)
        }
    }

    /// A layout that knows UTC only takes no notice of the offset.
    private func write(
        _ milliseconds: Int, offset: Int, isZoned: Bool = true, isLeap: Bool = false, into buffer: inout Bytes
    ) {
        let offset = zoneText == nil ? 0 : offset
        buffer.append(time: milliseconds, as: clock, offset: offset, isLeap: isLeap)
        guard isZoned, let zoneText else { return }
        buffer.append(time: milliseconds, as: offset == 0 && layout.hasBodies ? "Z" : zoneText, offset: offset)
    }
}
