import Calendar
import Reference

/// Spells lines in the run's layout.
struct LineSpeller: ~Copyable {
    let layout: Layout
    private let zone: ZoneRules
    /// The usual text of the last line's time. It is kept, since neighbours share their second.
    private var time = Bytes()
    private var timeSecond = Int.min
    private var parts = RequestParts([])

    init(layout: Layout, zone: ZoneRules) {
        self.layout = layout
        self.zone = layout.isInUTC ? .utc : zone
    }

    mutating func write(_ line: WebLine, into buffer: inout Bytes) {
        let second = floored(line.time, by: 1000)
        if second != timeSecond {
            timeSecond = second
            time.removeAll(keepingCapacity: true)
            time.append(time: line.time, as: layout.time, offset: zone.offset(at: second))
        }
        if layout.usesParts { parts = RequestParts(line.request) }
        (line.template ?? layout.line).write(into: &buffer) { write($0, of: line, into: &$1) }
        buffer.append(line.ending)
    }

    private func write(_ field: Template.Field, of line: WebLine, into buffer: inout Bytes) {
        let start = buffer.count
        let escaping = line.escaping ?? layout.escaping
        switch field {
        case .address: buffer.append(line.address)
        case .user: buffer.append(line.user)
        case .time: if let clock = line.clock { writeTime(of: line, by: clock, into: &buffer) } else { buffer += time }
        case .request: escaping.append(line.request, to: &buffer)
        case .half: escaping.append(Bytes(line.request.prefix(line.request.count / 2)), to: &buffer)
        case .status:
            let isText = layout.isJSON && Int(line.status) == nil
            buffer.append(isText ? "\"\(line.status)\"" : line.status)
        case .size: buffer.append(line.size)
        case .referer: buffer.append(line.referer)
        case .agent: escaping.append(line.agent, to: &buffer)
        case .body: escaping.append(line.body ?? Bytes(layout.isJSON ? "" : "-"), to: &buffer)
        case .method: escaping.append(parts.method, to: &buffer)
        case .target: escaping.append(parts.target, to: &buffer)
        case .path: escaping.append(parts.path, to: &buffer)
        case .query: escaping.append(parts.query, to: &buffer)
        case .url:
            if !parts.target.isEmpty { buffer.append("https://track.example.com") }
            escaping.append(parts.target, to: &buffer)
        case .absolute: escaping.append(parts.absolute, to: &buffer)
        default: break
        }
        if buffer.count == start, layout.hasColumns { buffer.append("-") }
    }

    private func writeTime(of line: WebLine, by clock: String, into buffer: inout Bytes) {
        let second = floored(line.time, by: 1000)
        let offset = zone.offset(at: second)
        switch clock {
        // The same instant, told by the clock of Greenwich, and five hours west of it.
        case "utc": buffer.append(time: line.time, as: layout.time, offset: 0)
        case "west": buffer.append(time: line.time, as: layout.time, offset: -18_000)
        // Without the offset, unless that could mean two instants.
        case "zoneless":
            let pattern = zone.turns(near: second) ? layout.time : layout.time.replacing(" %z", with: "")
            buffer.append(time: line.time, as: pattern, offset: offset)
        // The last second of a minute written as the one before it with second 60.
        case "leapSecond":
            let minute = floored(second, by: 60) * 60_000
            buffer.append(time: minute - 1000, as: layout.time.replacing("%S", with: "60"), offset: offset)
        default: buffer.append(clock)
        }
    }
}

/// A request line in parts, for layouts that have a field for each.
private struct RequestParts {
    /// Empty if it is none that a server knows.
    let method: Bytes
    /// Path and query, without scheme and host. Empty if there is none.
    let target: Bytes
    /// The version of the protocol, with the space before it. Empty if there is none.
    private let version: Bytes

    init(_ request: Bytes) {
        let words = request.pieces(" ")
        method = words[0].allSatisfy { (0x21...0x7E).contains($0) } ? words[0] : []
        let url = words.count > 1 ? words[1] : []
        let afterScheme = url.hasPrefix("http") ? url.cut(at: "://")?.after : nil
        target = afterScheme.map { Bytes($0.drop { $0 != 0x2F }) } ?? url
        version = words.count > 2 ? Bytes(" ") + words[2] : []
    }

    var path: Bytes { Bytes(target.prefix { $0 != 0x3F }) }

    var query: Bytes { Bytes(target.dropFirst(path.count + 1)) }

    /// The request as a load balancer of AWS logs it.
    var absolute: Bytes {
        let method = method.isEmpty ? Bytes("-") : method
        if target.isEmpty { return method + Bytes(" http://track.example.com:80- ") }
        return method + Bytes(" https://track.example.com:443") + target + version
    }
}
