import Calendar
import Foundation
import LogFiles
import Messages
import Partitions
import Posix
import Records

/// Why a load was held back. The partition from before the load, if there is one, stays. It is stored with the held
/// load.
package enum HoldReason: Hashable, Codable, Sendable {
    /// More records were rejected than `limits.reject_ratio` allows.
    case tooManyRejects(rejected: Int, records: Int, limit: Double)
    /// A source has no accepted record, and some of its records are too long. Its line ends are probably missing.
    case linesTooLong(source: String, records: Int)
    /// A file is damaged or truncated, and `limits.damaged_files` is `fail`.
    case damagedFiles(paths: [String])
    /// The load is partial, and the installed partition is complete.
    case partial(causes: [PartialCause])
    /// Files are neither gzip, zstd nor plain text, or have a zstd frame that cannot be unpacked.
    case foreignFiles([ForeignFile])
    /// No row of a CSV file of events can be read.
    case csvHeader(path: String, HeaderFault)
    /// A file could not be opened or read; the system's error code.
    case unreadableFile(path: String, code: Int32)

    /// The load has less than half of events that the installed partition has.
    case loss([EventLoss], isOfOtherPipeline: Bool)

    /// The code in the table `held`, such as `loss`.
    var code: String { message.code.nameOfHeldBack }

    /// Whether the reason may vanish without a change that a comparison can see. Only another attempt shows it.
    var mayPassUnseen: Bool {
        if case .unreadableFile = self { true } else { false }
    }

    /// Whether the load was held back in favour of the installed partition. The reason ends if that partition can no
    /// longer be read.
    var isOfStanding: Bool {
        switch self {
        case .partial, .loss: true
        default: false
        }
    }

    /// The file cannot be read, or cannot be unpacked.
    init(_ error: LogFileError) {
        if let kind = error.foreignKind {
            self = .foreignFiles([ForeignFile(path: error.path, kind: kind)])
        } else {
            self = .unreadableFile(path: error.path, code: error.code)
        }
    }
}

extension HoldReason {
    /// `held back: 6 of 100 records were rejected, more than limits.reject_ratio (0.05) allows`
    package var message: Message {
        switch self {
        case .tooManyRejects(let rejected, let records, let limit):
            return Message(
                .heldBackTooManyRejects,
                text: """
                    held back: \(Text.number(rejected)) of \(Text.plural(records, of: "record")) \
                    \(rejected == 1 ? "was" : "were") rejected, more than limits.reject_ratio (\(limit)) allows
                    """)
        case .damagedFiles(let files):
            return Message(
                .heldBackDamagedFiles,
                text: """
                    held back: \(files.few { "\(path: $0)" }) \(files.count == 1 ? "is" : "are") damaged or truncated, and \
                    limits.damaged_files is 'fail'
                    """)
        case .partial(let causes):
            return Message(
                .heldBackPartial,
                text: "held back: this load is only partial (\(causes.text)), so the complete partition was kept")
        case .foreignFiles(let files):
            let paths = files.few { "\(path: $0.path)" }
            return Message(
                .heldBackForeignFiles,
                text: "held back: \(paths) \(files.count == 1 ? "is" : "are") of a kind that is not read")
        case .unreadableFile(let path, EFBIG):
            return Message(
                .heldBackUnreadableFile,
                text: "held back: \(path: path): is larger than 1 GiB, the most that comes through Spark from a URI",
                path: path)
        case .unreadableFile(let path, let code):
            return Message(
                .heldBackUnreadableFile,
                text: "held back: \(path: path): cannot be read: \(SystemError.reason(code))", path: path)
        case .linesTooLong(let source, let count):
            return Message(
                .heldBackLinesTooLong,
                text: """
                    held back: source '\(source)': no record was accepted, and \(Text.number(count)) \
                    \(count == 1 ? "is" : "are") too long (over 1 MiB, a JSON object over 8 MiB)
                    """)
        case .csvHeader(let path, let fault):
            return Message(.heldBackCsvHeader, text: "held back: \(path: path): \(fault.text)", path: path)
        case .loss(let losses, let isOfOtherPipeline):
            let differing: MessageText = isOfOtherPipeline ? "; the pipeline has changed" : ""
            return Message(.heldBackLoss, text: "held back: \(losses.few(\.text))\(differing)")
        }
    }

    /// The message about a log date, with what to do.
    /// - Parameters:
    ///   - example: a rejected record.
    ///   - more: text to add.
    package func message(of date: LogDate, example: Reject? = nil, more: MessageText = "") -> Message {
        var message = message.about(date).adding(more)
        message.example = example?.text
        message.remedy = remedy
        return message
    }

    var remedy: Remedy {
        switch self {
        case .tooManyRejects: Remedy("mend the files or the pipeline, or take it as it is: ", options: " --force")
        case .damagedFiles: Remedy("with good copies: ")
        case .partial: Remedy("to replace it: ", options: " --force")
        case .foreignFiles: Remedy("once they are converted: ")
        case .csvHeader: Remedy("mend the file, or the names in the pipeline: ")
        case .unreadableFile(_, EFBIG): Remedy("once it is split, or on a file system that all machines share: ")
        case .unreadableFile: Remedy("once it is readable: ")
        case .linesTooLong:
            Remedy("lines end in LF or CRLF; mend the files, or take them as they are: ", options: " --force")
        case .loss: Remedy("check the pipeline and the files; if they are right: ", options: " --force")
        }
    }
}

extension HeaderFault {
    private static let mostNames = 20

    /// `the header has no column 'message_id', did you mean 'message id'?; it has 'message id', 'os', column 3`
    package var text: MessageText {
        switch self {
        case .missingColumns(let missing, let found):
            let names = found.enumerated().map { number, name -> MessageText in
                name.map { "'\($0)'" } ?? "column \(number + 1)"
            }
            let more: MessageText = names.count > Self.mostNames ? " and \(names.count - Self.mostNames) more" : ""
            let near = missing.count == 1 ? missing[0].nearest(of: found.compactMap(\.self)) : nil
            let absent = missing.map { "'\($0)'" as MessageText }.joined(separator: ", ")
            return "the header has no \(missing.count == 1 ? "column" : "columns") \(absent)"
                + (near.map { ", did you mean '\($0)'?" } ?? "")
                + "; it has \(names.prefix(Self.mostNames).joined(separator: ", "))" + more
        case .columnTwice(let name): return "the header has two columns '\(name)'; rename one"
        case .bareReturns: return "the lines end in CR alone; save the file with line endings LF or CRLF"
        case .malformed:
            return "the first line is no header; it is longer than 1 MiB, or a quote in it is not where one belongs"
        }
    }
}

extension [PartialCause] {
    /// `a.log.gz is truncated, source 'momo' has no files`
    package var text: MessageText {
        map { cause -> MessageText in
            switch cause {
            case .truncatedFile(let path): "\(path: path) is truncated"
            case .damagedFile(let path): "\(path: path) is damaged"
            case .missingSource(let name): "source '\(name)' has no files"
            }
        }.joined(separator: ", ")
    }
}
