import Messages

/// The format of a log line: the key `layout` of a pipeline file. What is specific to a layout is in this file and in
/// the file that reads its lines.
package enum Layout: Equatable, Sendable {
    /// NCSA combined and common, as nginx and Apache write them.
    case combined
    /// An nginx `log_format`.
    case nginx(LineFormat)
    /// An Apache `LogFormat`.
    case apache(LineFormat)
    /// The W3C extended format.
    case w3c
    /// The standard logs of Amazon CloudFront.
    case cloudFront
    /// The access logs of AWS load balancers.
    case alb
    /// JSON objects, usually one a line.
    case json(JSONFields)
    /// The line is the payload itself.
    case body
    /// CSV with a header, each row of which is an event.
    case csv

    /// The layouts that a pipeline file gives by name, in the order in which they are listed and tried.
    package static let named: [Layout] =
        [.combined, .w3c, .cloudFront, .alb] + JSONFields.named.map(Layout.json) + [.body, .csv]
    package static let names = named.map(\.name)

    /// Parses the value of the key `layout`.
    /// - Parameter text: one of `names`, an Apache `LogFormat`, which has a directive such as `%h`, or an nginx
    ///   `log_format`, which has a `$`. A format may be in quotes, as in a configuration file.
    package init(parsing text: String) throws(LayoutError) {
        if let layout = Layout.named.first(where: { $0.name == text }) {
            self = layout
            return
        }
        let format = QuotedStrings.joined(text) ?? text
        if format.utf8.contains(where: { $0 == 0x0A || $0 == 0x0D }) { throw .lineBreak }
        if LineFormat.hasDirective(format), !LineFormat.hasVariable(format) {
            self = .apache(try LineFormat(apache: format))
        } else if format.contains("$") {
            self = .nginx(try LineFormat(nginx: format))
        } else {
            let other = Layout.names.map { "'\($0)', " }.joined()
            throw LayoutError(
                .unknownLayout,
                text: "unknown layout '\(text)'"
                    + .didYouMean(
                        text.nearest(of: Layout.names),
                        or: ", expected \(other)a log_format with '$' variables or a LogFormat with '%' directives"))
        }
    }

    /// The name in the pipeline file and in messages.
    package var name: String {
        switch self {
        case .combined: "combined"
        case .nginx: "log_format"
        case .apache: "LogFormat"
        case .w3c: "w3c"
        case .cloudFront: "cloudfront"
        case .alb: "alb"
        case .json(let fields): fields.name
        case .body: "body"
        case .csv: "csv"
        }
    }

    /// Which of time, request and its body its lines can hold. The request may be in parts.
    package var fields: Set<JSONFields.Field> {
        switch self {
        case .combined, .w3c, .cloudFront, .alb: [.request, .time]
        case .nginx(let format), .apache(let format): format.fields
        case .json: [.request, .time, .requestBody]
        case .body, .csv: [.requestBody]
        }
    }

    /// Whether its records are payloads, without a request.
    package var isOfPayloads: Bool { self == .body || self == .csv }

    /// Whether its records are JSON objects.
    package var isJSON: Bool { if case .json = self { true } else { false } }

    /// Whether it may stand among other layouts of a source: each line is a record, or holds some, whatever lines are
    /// beside it.
    package var mayBeAmongOthers: Bool { ![.body, .csv, .w3c, .cloudFront].contains(self) }

    /// Whether its times may be in ISO 8601.
    package var hasISOTimes: Bool {
        switch self {
        case .nginx, .json: true
        default: false
        }
    }

    /// Whether its times are always in UTC.
    package var isInUTC: Bool { self == .w3c || self == .cloudFront }

    /// The parts of a request that are missing in a line, in the words of the layout, for messages.
    var missingRequest: String {
        switch self {
        case .json(let fields):
            "expected a string '\(fields.text(.request))', or '\(fields.text(.method))' and '\(fields.text(.url))'; "
                + "found none"
        case .w3c, .cloudFront: "expected the columns cs-method and cs-uri-stem in '#Fields:'; found one at most"
        case .apache: "expected %r, or %m, %U and %q; the format has neither"
        default: "expected $request, or $request_method and $request_uri; the format has neither"
        }
    }

    /// The name of the request's body, for messages; nil if it has no name.
    var bodyName: String? {
        switch self {
        case .nginx: "$request_body"
        case .json(let fields): "'\(fields.text(.requestBody))'"
        default: nil
        }
    }
}

/// The joined content of quoted strings, as a format stands in nginx's or Apache's configuration:
///
///     '$remote_addr - $remote_user [$time_local] '
///     '"$request" $status';
enum QuotedStrings {
    /// Nil if the text is something else. Escapes are not replaced. A format may itself begin with a double quote, as
    /// in `"$request" "$status"`. So a text that begins with one must also hold an escaped quote, or no quotes but the
    /// first and the last, and several values between them.
    static func joined(_ text: String) -> String? {
        let first = text.utf8.first { !$0.isWhiteSpace }
        guard first == UInt8(ascii: "'") || first == UInt8(ascii: "\"") && isSurelyQuoted(text),
            text.wholeMatch(of: strings) != nil
        else { return nil }
        // The quotes are scalars: a character may be one with a mark that follows it.
        return text.matches(of: string).map { String($0.output.unicodeScalars.dropFirst().dropLast()) }.joined()
    }

    // A `Regex` never changes, but is not Sendable.
    nonisolated(unsafe) private static let string =
        #/'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"/#.dotMatchesNewlines().matchingSemantics(.unicodeScalar)
    /// With white space around each, perhaps a semicolon after the last.
    nonisolated(unsafe) private static let strings =
        #/[\t-\r ]*(?:(?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")[\t-\r ]*)+(?:;[\t-\r ]*)?/#
        .dotMatchesNewlines().matchingSemantics(.unicodeScalar)

    private static func isSurelyQuoted(_ text: String) -> Bool {
        if text.contains("\\\"") { return true }
        let values = text.count { $0 == "$" || $0 == "%" }
        return values > 1 && text.count { $0 == "\"" } == 2
    }
}
