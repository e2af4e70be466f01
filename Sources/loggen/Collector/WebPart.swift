/// The request around a body, where the layout has one.
struct WebPart {
    var method = "POST"
    var path: String?
    var status = "200"
    var hasBody = true
    var shape = WebLine.Shape.full
    var ending = "\n"
    var timeSpelling = WebLine.TimeSpelling.usual
    var timeIsBad = false
    /// What the request alone makes of the record.
    var verdict: Meaning?
}

extension WebPart {
    /// What happens to requests with bodies.
    enum Oddity: CaseIterable {
        case get, head, otherPath, doubleSlash, absolute, disabled, failed, unavailable, dashStatus, noBody
        case cut, open, garbage, badTime, crlf, emptyLine
    }

    init(_ oddity: Oddity, path: String) {
        switch oddity {
        case .get:
            method = "GET"
            verdict = .notTracking
        case .head:
            method = "HEAD"
            status = "405"
            verdict = .notTracking
        case .otherPath:
            self.path = path + "/"
            verdict = .notTracking
        case .doubleSlash: self.path = "/" + path + "?v=2"
        case .absolute: self.path = "http://push.example.com:8080" + path
        case .disabled:
            status = "404"
            verdict = .trackingDisabled
        case .failed:
            status = "500"
            verdict = .httpError
        case .unavailable:
            status = "499"
            verdict = .httpError
        case .dashStatus: status = "-"
        case .noBody:
            hasBody = false
            verdict = .noBody
        case .cut:
            shape = .cut
            verdict = .malformedLine
        case .open:
            shape = .open
            verdict = .malformedLine
        case .garbage:
            shape = .raw("-- log turned over --")
            verdict = .malformedLine
        case .badTime:
            timeSpelling = .text("yesterday")
            timeIsBad = true
        case .crlf: ending = "\r\n"
        case .emptyLine: ending = "\n\n"
        }
    }
}
