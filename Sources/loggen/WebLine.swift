import Reference

/// One line of a web server's log, before it is spelled in a layout.
struct WebLine {
    var address: String
    var user = "-"
    /// When the line is written, in milliseconds.
    var time: Int
    /// How an odd clock tells the time, or a text in its place that is none.
    var clock: String?
    var request: Bytes
    var status = "200"
    var size = "0"
    var referer = "-"
    var agent: Bytes
    /// The request's body; nil is logged as the server logs a missing one.
    var body: Bytes?
    /// Instead of the layout's.
    var template: Template?
    var escaping: Escaping?
    var ending = "\n"

    /// Makes it odd. What the layout or the id cannot show leaves an ordinary line.
    mutating func apply(_ oddity: Oddity, of message: Message, code: Int, in layout: Layout) {
        for change in oddity.changes {
            let value = message.fill(change.value, code: code)
            let text = value.text
            switch change.name {
            case "only" where text == "hex" ? message.number == nil : text != layout.name: return
            case "line": template = change.value
            case "clock": clock = text
            case "request": request = value
            case "status": status = text
            case "user": user = text
            case "size": size = text
            case "address": address = text
            case "agent": agent = value
            case "moreagent": agent += value
            case "escaping": escaping = Escaping.named[text]
            case "body": body = value
            case "ending": ending = Oddity.ending(text)
            default: break
            }
        }
    }
}
