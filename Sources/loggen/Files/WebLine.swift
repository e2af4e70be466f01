/// One line of a web server's log, before it is spelled in a layout.
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
    var body: String?
}
