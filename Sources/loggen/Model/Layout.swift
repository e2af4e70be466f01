import ArgumentParser
import Foundation

enum Layout: String, CaseIterable, ExpressibleByArgument, Sendable {
    /// NCSA combined, as nginx writes it.
    case combined
    /// All kinds as lines of an nginx `log_format` with the request body.
    case nginx
    /// An Apache `LogFormat`.
    case apache
    /// The W3C extended format, as IIS writes it.
    case w3c
    /// CloudFront's standard logs.
    case cloudfront
    /// Access logs of AWS application load balancers.
    case alb
    /// All kinds as nginx `escape=json` lines.
    case json
    /// Cloud Logging's export of Google's load balancers.
    case gcpLB = "gcp_lb"
    /// Caddy's JSON lines.
    case caddy

    /// Whether lines have a request's body. Otherwise mzip and users_track are written as bare bodies.
    var hasBodies: Bool {
        self == .nginx || self == .json
    }

    /// Whether a line is a JSON object.
    var isJSON: Bool {
        [.json, .gcpLB, .caddy].contains(self)
    }

    /// What a collector's file begins with.
    var header: String {
        switch self {
        case .w3c:
            """
            #Software: Microsoft Internet Information Services 10.0
            #Version: 1.0
            #Fields: date time s-ip cs-method cs-uri-stem cs-uri-query s-port cs-username c-ip cs(User-Agent) \
            cs(Referer) sc-status sc-substatus sc-win32-status time-taken

            """
        case .cloudfront:
            """
            #Version: 1.0
            #Fields: date time x-edge-location sc-bytes c-ip cs-method cs(Host) cs-uri-stem sc-status cs(Referer) \
            cs(User-Agent) cs-uri-query cs(Cookie) x-edge-result-type x-edge-request-id x-host-header cs-protocol \
            cs-bytes time-taken x-forwarded-for ssl-protocol ssl-cipher x-edge-response-result-type \
            cs-protocol-version fle-status fle-encrypted-fields c-port time-to-first-byte \
            x-edge-detailed-result-type sc-content-type sc-content-len sc-range-start sc-range-end

            """
        default: ""
        }
    }
}
