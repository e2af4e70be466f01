/// Spells lines in the run's layout.
struct LineSpeller: ~Copyable {
    let layout: Layout
    private let zone: Zone
    private var time = ByteBuffer()
    private var timeSecond = Int.min

    init(layout: Layout, zone: Zone) {
        self.layout = layout
        self.zone = zone
    }

    /// The log_format that `nginx` lines follow, as the pipeline file has it.
    static let nginxFormat =
        #"$remote_addr - [$time_iso8601] "$request" $status "$http_user_agent" "$request_body""#

    mutating func write(_ line: WebLine, into buffer: inout ByteBuffer) {
        if case .raw(let text) = line.shape {
            buffer.append(text: text)
            buffer.append(text: line.ending)
            return
        }
        switch layout {
        case .combined: writeCombined(line, into: &buffer)
        case .nginx: writeNginx(line, into: &buffer)
        case .apache: writeApache(line, into: &buffer)
        case .w3c, .cloudfront: writeColumns(line, into: &buffer)
        case .alb: writeALB(line, into: &buffer)
        case .json: writeJSON(line, into: &buffer)
        case .gcpLB: writeGCP(line, into: &buffer)
        case .caddy: writeCaddy(line, into: &buffer)
        }
        buffer.append(text: line.ending)
    }

    private mutating func writeCombined(_ line: WebLine, into buffer: inout ByteBuffer) {
        buffer.append(text: "\(line.address) - \(line.user) [")
        write(line.timeSpelling, of: line.time, into: &buffer)
        buffer.append("] \"")
        if case .cut = line.shape {
            line.request.prefix(line.request.count / 2).withUnsafeBytes { buffer.appendNginxEscaped($0) }
            return
        }
        line.request.withUnsafeBytes { buffer.appendNginxEscaped($0) }
        if case .statusless = line.shape {
            buffer.append("\"")
            return
        }
        buffer.append(text: "\" \(line.status) \(line.size)")
        if case .common = line.shape { return }
        buffer.append(text: " \"\(line.referer)\" \"")
        if case .apache = line.shape {
            line.agent.withUnsafeBytes { buffer.appendJSONEscaped($0) }
        } else {
            line.agent.withUnsafeBytes { buffer.appendNginxEscaped($0) }
        }
        if case .open = line.shape { return }
        buffer.append("\"")
        if case .longer = line.shape { buffer.append(" \"-\" rt=0.003 uct=\"0.001\"") }
    }

    private mutating func writeNginx(_ line: WebLine, into buffer: inout ByteBuffer) {
        buffer.append(text: "\(line.address) - [")
        write(line.timeSpelling, of: line.time, into: &buffer)
        buffer.append("] \"")
        if case .cut = line.shape {
            line.request.prefix(line.request.count / 2).withUnsafeBytes { buffer.appendNginxEscaped($0) }
            return
        }
        line.request.withUnsafeBytes { buffer.appendNginxEscaped($0) }
        buffer.append(text: "\" \(line.status) \"")
        line.agent.withUnsafeBytes { buffer.appendNginxEscaped($0) }
        buffer.append("\" \"")
        if let body = line.body {
            body.withUnsafeBytes { buffer.appendNginxEscaped($0) }
        } else {
            buffer.append("-")
        }
        if case .open = line.shape { return }
        buffer.append("\"")
        if case .longer = line.shape { buffer.append(" rt=0.003") }
    }

    private mutating func writeJSON(_ line: WebLine, into buffer: inout ByteBuffer) {
        buffer.append(text: "{\"remote_addr\":\"\(line.address)\",\"time_iso8601\":\"")
        write(line.timeSpelling, of: line.time, into: &buffer)
        buffer.append("\",\"request\":\"")
        line.request.withUnsafeBytes { buffer.appendJSONEscaped($0) }
        if case .cut = line.shape { return }
        let quote = Int(line.status) == nil ? "\"" : ""
        buffer.append(text: "\",\"status\":\(quote)\(line.status)\(quote),\"http_user_agent\":\"")
        line.agent.withUnsafeBytes { buffer.appendJSONEscaped($0) }
        buffer.append("\",\"request_body\":\"")
        (line.body ?? []).withUnsafeBytes { buffer.appendJSONEscaped($0) }
        if case .open = line.shape { return }
        buffer.append("\"}")
    }

    /// The time as the layout usually has it, remembered from line to line since neighbours share their second.
    mutating func writeTime(_ milliseconds: Int, into buffer: inout ByteBuffer) {
        let second = floorDivide(milliseconds, 1000)
        if second != timeSecond {
            timeSecond = second
            time.removeAll()
            Self.write(second, offset: zone.offset(at: second), layout: layout, into: &time)
        }
        buffer.append(time)
    }

    mutating func write(
        _ spelling: WebLine.TimeSpelling, of milliseconds: Int, into buffer: inout ByteBuffer
    ) {
        let second = floorDivide(milliseconds, 1000)
        switch spelling {
        case .usual: writeTime(milliseconds, into: &buffer)
        case .utc: Self.write(second, offset: 0, layout: layout, into: &buffer)
        case .west: Self.write(second, offset: -18_000, layout: layout, into: &buffer)
        case .zoneless:
            Self.write(second, offset: zone.offset(at: second), layout: layout, zoned: false, into: &buffer)
        case .leapSecond:
            Self.write(second - 1, offset: zone.offset(at: second), layout: layout, leap: true, into: &buffer)
        case .text(let text): Self.write(text: text, layout: layout, into: &buffer)
        }
    }
}
