/// The format of a log line: the key `layout` of a pipeline file.
package enum Layout: Equatable, Sendable {
    /// NCSA combined and common, as nginx and Apache write them.
    case combined
    /// An nginx `log_format`.
    case nginx(LogFormat)
    /// One JSON object per line, as nginx writes it with `escape=json`.
    case json
    /// The line is the payload itself.
    case body

    /// Parses the value of the key `layout`.
    /// - Parameter text: `combined`, `json`, `body`, or an nginx `log_format`, which holds a `$`.
    package init(parsing text: String) throws(LayoutError) {
        switch text {
        case "combined": self = .combined
        case "json": self = .json
        case "body": self = .body
        default:
            guard text.contains("$") else { throw .unknown(text) }
            self = .nginx(try LogFormat(parsing: text))
        }
    }
}

extension Layout {
    /// The name in messages.
    var name: String {
        switch self {
        case .combined: "combined"
        case .nginx: "log_format"
        case .json: "json"
        case .body: "body"
        }
    }
}
