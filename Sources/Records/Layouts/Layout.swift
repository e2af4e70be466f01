/// The format of a log line: the key `layout` of a pipeline file. What is specific to a layout is in this file and in the
/// file that reads its lines.
package enum Layout: Equatable, Sendable {
    /// NCSA combined and common, as nginx and Apache write them.
    case combined
    /// An nginx `log_format`.
    case nginx(LogFormat)
    /// One JSON object per line, as nginx writes it with `escape=json`.
    case json
    /// The line is the payload itself.
    case body

    /// The layouts that a pipeline file gives by name.
    private static let named: [Layout] = [.combined, .json, .body]
    package static let names = named.map(\.name)

    /// Parses the value of the key `layout`.
    /// - Parameter text: one of `names`, or an nginx `log_format`, which contains a `$`.
    package init(parsing text: String) throws(LayoutError) {
        if let layout = Layout.named.first(where: { $0.name == text }) {
            self = layout
        } else if text.contains("$") {
            self = .nginx(try LogFormat(parsing: text))
        } else {
            throw .unknown(text)
        }
    }

    /// The name in the pipeline file and in messages.
    package var name: String {
        switch self {
        case .combined: "combined"
        case .nginx: "log_format"
        case .json: "json"
        case .body: "body"
        }
    }

    /// The parts of a request that its lines can hold.
    package var fields: Set<LayoutField> {
        switch self {
        case .combined: [.request, .time]
        case .nginx(let format): format.fields
        case .json: [.request, .time, .body]
        case .body: [.body]
        }
    }

    /// The parts of a request that are missing in a line, in the words of the layout, for messages.
    var missingRequest: String {
        switch self {
        case .json: "expected a string 'request', or 'request_method' and 'request_uri'; found none"
        default: "expected $request, or $request_method and $request_uri; the format has neither"
        }
    }

    /// The name of the request's body, for messages; nil if it has no name.
    var bodyName: String? {
        switch self {
        case .body, .combined: nil
        case .nginx: "$request_body"
        case .json: "'request_body'"
        }
    }

    /// Reads a line and fills `fields`. `json` is a buffer.
    func read(
        _ line: Span<UInt8>, into fields: inout LogFields, _ json: inout JSONLayout
    ) throws(Misfit) {
        switch self {
        case .combined: try CombinedLayout.read(line, into: &fields)
        case .nginx(let format): try format.read(line, into: &fields)
        case .json: try json.read(line, into: &fields)
        case .body: break
        }
    }
}
