import Reference

/// One line of a web server's log, before it is spelled in a layout.
struct WebLine {
    var address: String
    var user = "-"
    /// When the line is written, in milliseconds.
    var time: Int
    var clock = Clock.usual
    /// A text that is no time, in its place.
    var timeText: String?
    var request: Bytes
    var status = "200"
    var size = "0"
    var referer = "-"
    var agent: Bytes
    /// The request's body; nil is logged as the server logs a missing one.
    var body: Bytes?
    var shape = Shape.full
    /// A text that is no line of the layout, in its place.
    var raw: String?
    var ending = "\n"
    /// What becomes of the line before its status and time are looked at; nil if nothing does.
    var verdict: Meaning?

    enum Clock: String {
        case usual
        /// The same instant, told by the clock of Greenwich.
        case utc
        /// The same instant, told five hours west of Greenwich.
        case west
        /// The local time without its offset, unless that could mean two instants.
        case zoneless
        /// The last second of a minute written as the one before it with second 60.
        case leapSecond
    }

    enum Shape: String {
        case full
        /// Ends after the size: NCSA common.
        case common
        /// More fields after the user agent.
        case longer
        /// Ends in the middle of the request.
        case cut
        /// Without the closing quote of the user agent.
        case open
        /// Without status and size.
        case statusless
        /// The user agent's quotes escaped as Apache escapes them.
        case apache
    }

    /// What the line alone makes of a record; nil if it passes.
    var fault: Meaning? {
        if let verdict { return verdict }
        if status == "404" { return .trackingDisabled }
        return status == "-" || (200..<400).contains(Int(status) ?? 0) ? nil : .httpError
    }

    mutating func set(_ change: Oddity.Change, _ value: Bytes?) {
        let text = value?.text ?? ""
        switch change {
        case .request: request = value ?? []
        case .status: status = text
        case .user: user = text
        case .size: size = text
        case .address: address = text
        case .agent: agent = value ?? []
        case .moreagent: agent += value ?? []
        case .body: body = value
        case .shape: shape = Shape(rawValue: text) ?? .full
        case .raw: raw = text
        case .time: timeText = text
        case .clock:
            clock = Clock(rawValue: text) ?? .usual
            if clock == .leapSecond { time = floored(time, by: 60_000) * 60_000 }
        case .ending: ending = text == "crlf" ? "\r\n" : "\n\n"
        default: break
        }
    }
}
