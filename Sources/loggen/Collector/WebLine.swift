/// One line of a web server's log, before it is spelled in a layout.
struct WebLine {
    var address: String
    var user = "-"
    /// When the line is written, in milliseconds.
    var time: Int
    var timeSpelling = TimeSpelling.usual
    var request: [UInt8]
    var status = "200"
    var size = "0"
    var referer = "-"
    var agent: [UInt8]
    /// The request's body; nil is logged as the server logs a missing one.
    var body: [UInt8]?
    var shape = Shape.full
    var ending = "\n"

    enum TimeSpelling {
        case usual
        /// The same instant, told by the clock of Greenwich.
        case utc
        /// The same instant, told five hours west of Greenwich.
        case west
        /// The local time without its offset.
        case zoneless
        /// The last second of a minute written as the one before it with second 60.
        case leapSecond
        case text(String)
    }

    enum Shape {
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
        case raw(String)
    }
}
