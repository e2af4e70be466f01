import Calendar
import Foundation

/// A warning or an error: a sentence for people, with its place for programs. It is made where the fault is found.
package struct Message: Hashable, Sendable {
    package let code: MessageCode
    /// What is wrong, and what to do.
    package var text: MessageText
    package var logDate: LogDate?
    /// The file or folder. Unsafe characters are kept.
    package var path: String?
    /// In the file, from 1.
    package var line: Int?
    /// In a pipeline file, from 1, in Unicode scalars.
    package var column: Int?

    /// What a log date lacks, such as `lacks web2/access.log`, for a line that names several dates.
    package var gap: MessageText?
    /// Something that shows it, such as a line of a log.
    package var example: MessageText?
    /// The command that mends it, or accepts it.
    package var remedy: Remedy?
    /// Whether its log date stands before the sentence.
    private var isNamed = false
    /// If it is about several log dates: all of them, and whether the sentence is of all or of the latest.
    private var others: Others?

    private struct Others: Hashable {
        let dates: [LogDate]
        let areSame: Bool
    }
    /// Whether its paths are as the reader sees them.
    private var isShown = false

    package init(
        _ code: MessageCode, text: MessageText, logDate: LogDate? = nil, path: String? = nil, line: Int? = nil,
        column: Int? = nil
    ) {
        self.code = code
        self.text = text
        self.logDate = logDate
        self.path = path
        self.line = line
        self.column = column
    }

    /// A message about a file or folder, which its sentence begins with: `logs/a.csv:7: the file is not UTF-8 text`.
    package static func at(_ path: String, line: Int? = nil, code: MessageCode, text: MessageText) -> Message {
        let place: MessageText = line.map { "\(path: path):\($0): " } ?? "\(path: path): "
        return Message(code, text: place + text, path: path, line: line)
    }

    /// The same about a log date, which stands before the sentence if `isNamed`.
    package func about(_ date: LogDate, isNamed: Bool = true) -> Message {
        var message = self
        message.logDate = date
        message.isNamed = isNamed
        return message
    }

    /// The same about a log date that lacks something.
    package func with(gap: MessageText) -> Message {
        var message = self
        message.gap = gap
        return message
    }

    /// The same with more at the end.
    package func adding(_ text: MessageText) -> Message {
        var message = self
        message.text += text
        return message
    }

    /// The same about several log dates, of which its own is the latest.
    /// - Parameter areSame: whether the sentence is of all of them.
    func about(_ dates: [LogDate], areSame: Bool) -> Message {
        var message = self
        message.others = Others(dates: dates, areSame: areSame)
        return message
    }

    package var withoutExample: Message {
        var message = self
        message.example = nil
        return message
    }

    package var withoutRemedy: Message {
        var message = self
        message.remedy = nil
        return message
    }

    /// The sentence, with its example and the command that mends it.
    package var sentence: MessageText { sentence(hasBackfill: true) }

    private func sentence(hasBackfill: Bool) -> MessageText {
        var text = self.text + (example.map { ", such as " + $0 } ?? "")
        if let others, let logDate {
            // A sentence that push.db has ends with the command for its own log date.
            let accepting = Remedy.acceptance.commands(for: others.dates, hasBackfill: hasBackfill)
            text = text.replacing(command: "run --date \(logDate) --force", with: accepting)
        }
        guard let remedy, let dates = others?.dates ?? logDate.map({ [$0] }) else { return text }
        return text + "; " + remedy.text(of: dates, hasBackfill: hasBackfill)
    }

    private var subject: MessageText {
        if let others {
            let dates = "\(Text.ranges(others.dates)) (\(Text.plural(others.dates.count, of: "log date")))"
            return "\(dates)\(others.areSame ? "" : ", the latest"): "
        }
        return isNamed ? logDate.map { "\($0): " } ?? "" : ""
    }

    /// The same with its paths as a reader sees them; one that is so already stays as it is.
    package func shown(_ paths: ShownPaths) -> Message {
        guard !isShown else { return self }
        var message = self
        message.text = .verbatim((subject + sentence(hasBackfill: paths.hasBackfill)).shown(paths))
        if others != nil { message.logDate = nil }
        message.others = nil
        message.isNamed = false
        message.remedy = nil
        message.example = nil
        message.path = path.map { paths.opening($0) }
        message.isShown = true
        return message
    }

    /// The sentence of a message whose paths are shown.
    package var words: String { text.shown(.stored) }
}

extension Message: Encodable {
    /// The keys that a message has in JSON; those without a value are left out.
    package func encode(to encoder: any Encoder) throws {
        try encoder.encode([
            "code": code.name, "message": words, "log_date": logDate, "path": path, "line": line, "column": column,
        ])
    }
}

extension Message {
    /// `push.yaml:12:5: ` for a place in a pipeline file, else nothing.
    package var location: String {
        guard let path, let line, let column else { return "" }
        return "\(path.shown):\(line):\(column): "
    }
}
