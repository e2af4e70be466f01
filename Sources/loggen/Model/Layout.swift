import ArgumentParser
import Foundation

enum Layout: String, CaseIterable, ExpressibleByArgument, Sendable {
    /// Collector lines as NCSA combined; mzip and users_track as bare bodies.
    case combined
    /// All kinds as lines of an nginx `log_format` with the request body.
    case nginx
    /// All kinds as nginx `escape=json` lines.
    case json
}
