import Calendar

/// A warning or an error: a sentence for people, and its facts for programs.
struct Message: Encodable, Sendable {
    /// The kind of message. Codes are stable across versions.
    let code: String
    /// The sentence, without the location in `path`, `line` and `column`.
    let message: String
    var logDate: LogDate?
    /// Relative to the command's working folder, or absolute; unsafe characters are kept.
    var path: String?
    var line: Int?
    var column: Int?

    init(
        _ code: String, _ message: String, logDate: LogDate? = nil, path: String? = nil, line: Int? = nil,
        column: Int? = nil
    ) {
        self.code = code
        self.message = message
        self.logDate = logDate
        self.path = path
        self.line = line
        self.column = column
    }

    /// `push.yaml:12:5: ` for a location in a pipeline file, else nothing.
    var location: String {
        guard let path, let line, let column else { return "" }
        return "\(path.shown):\(line):\(column): "
    }

    /// The same about a log date, with words before and after its sentence.
    func about(_ date: LogDate?, before: String = "", after: String = "") -> Message {
        Message(code, before + message + after, logDate: date, path: path, line: line, column: column)
    }
}

extension LogDate: Encodable {
    public func encode(to encoder: any Encoder) throws { try description.encode(to: encoder) }
}
