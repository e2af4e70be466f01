/// How a line holds a request: what `layout` says in a pipeline file.
package enum Layout: Equatable, Sendable {
    /// NCSA combined and common, as nginx and Apache write them.
    case combined
    /// Any nginx `log_format`.
    case nginx(LogFormat)
    /// One JSON object a line, as nginx writes it with `escape=json`.
    case json
    /// The payload itself.
    case body

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
    /// What messages call it.
    var name: String {
        switch self {
        case .combined: "combined"
        case .nginx: "log_format"
        case .json: "json"
        case .body: "body"
        }
    }
}
