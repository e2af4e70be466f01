import Reference

/// One line of a web server's log.
struct WebLine {
    var address: String
    /// When the line is written, in milliseconds.
    var time: Int
    var method = "GET"
    /// Path and query.
    var target: String
    var status = "200"
    var size = "0"
    var referer = "-"
    var agent: String

    /// In the format `combined`.
    func text(time: String) -> Bytes {
        let request = "\"\(method) \(target) HTTP/1.1\""
        return Bytes("\(address) - - [\(time)] \(request) \(status) \(size) \"\(referer)\" \"\(agent)\"\n")
    }
}
