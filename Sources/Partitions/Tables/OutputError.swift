import Calendar
import Messages

/// An error about one file of the output, on which the program bases a decision. An error that is only reported is a
/// `Fault`.
package struct OutputError: Error, Equatable, Sendable {
    package enum Kind: Equatable, Sendable {
        case missing
        /// The file is not a SQLite database; an empty file is not one either.
        case notSQLite
        /// A SQLite database of another application.
        case foreign
        /// Written by pushetl 1.x.
        case former
        /// Written by an earlier version of this program; the next command that may write brings it up.
        case earlierSchema
        /// Written by a later version of this program.
        case newerSchema(Int, known: Int)
        /// The file's content contradicts itself.
        case corrupt(String)
        /// Another connection locked the database for longer than the busy timeout.
        case busy
        /// A killed command's transaction must be undone first, by a connection that may write.
        case interrupted
        /// The file was replaced while it was being read.
        case replaced
        /// The record of closed log dates is lost. Nothing is loaded or published without it.
        case lostRecord(String)
        /// The partition of a settled log date is lost. Its figures are nowhere else, so nothing is published without
        /// it.
        case lostSettled(String)
        /// The partition of a closed log date is missing, or is not the one with which the log date was closed. It is
        /// left out like a damaged partition.
        case lostClosed(String)
        /// The log date was never loaded, and is closed. Its partition is left out.
        case stray
    }

    package let kind: Kind
    package let path: String

    package init(_ kind: Kind, at path: String) {
        self.kind = kind
        self.path = path
    }

    package var file: OutputFile { OutputFile(at: path) }

    /// Whether only this file is damaged, so that the other files can be used.
    package var isDamage: Bool { damage != nil || isOfClosed }

    /// Whether the partition of a closed log date is missing, was replaced, or does not belong there.
    package var isOfClosed: Bool {
        if case .lostClosed = kind { true } else { isStray }
    }

    package var isStray: Bool { kind == .stray }

    /// Whether the partition of a settled log date is lost.
    package var isOfSettled: Bool {
        if case .lostSettled = kind { true } else { false }
    }

    /// The damage of the file; nil for other errors.
    package var damage: String? {
        switch kind {
        case .notSQLite: "it is not a SQLite database"
        case .foreign: "it is another application's database"
        case .corrupt(let detail): detail
        default: nil
        }
    }

    /// What is lost of closed log dates, whose logs may not exist any more; nil for other errors.
    package var loss: String? {
        switch kind {
        case .lostRecord(let detail), .lostSettled(let detail), .lostClosed(let detail): detail
        case .stray: "was put there after its log date was closed"
        default: nil
        }
    }
}

extension OutputError {
    /// The partition of a settled log date is a copy from before it settled.
    package static func olderCopy(at path: String) -> OutputError {
        OutputError(.lostSettled("is an older copy, without its final figures, and cannot settle again"), at: path)
    }
}

extension OutputError: MessageError {
    package var message: Message {
        switch kind {
        case .missing: .at(path, code: .missing, text: "no such file")
        case .notSQLite:
            .at(
                path, code: .notSqlite,
                text: "is not a SQLite database; it was left as it is; "
                    + remedy(else: "move the file away and run again, which makes it anew"))
        case .foreign:
            .at(
                path, code: .foreign,
                text: "is another application's database; it was left as it is; give another output folder")
        case .former:
            .at(path, code: .formerOutput, text: "was written by pushetl 1.x; give another output and run 'backfill'")
        case .earlierSchema:
            .at(
                path, code: .earlierSchema,
                text: "was written by an earlier version of pushetl; the next 'run' or 'backfill' brings it up")
        case .newerSchema(let schema, let known):
            .at(
                path, code: .newerSchema,
                text: "was written by a newer pushetl (schema \(schema), this one knows \(known)); "
                    + "it was left as it is; use that version")
        case .corrupt(let detail):
            .at(
                path, code: .corrupt,
                text: "the database is damaged (\(detail)); "
                    + remedy(else: "'doctor' says what is wrong, and the next 'run' or 'backfill' makes it anew"))
        case .busy:
            .at(
                path, code: .busy,
                text: "a reader or another command held it for too long; nothing is lost: what is loaded stays, "
                    + "and the next 'run' or 'backfill' publishes it")
        case .interrupted:
            .at(
                path, code: .interrupted,
                text: "a command was killed while it was writing, and you may not write there to undo it; "
                    + "nothing is lost; run again as a user who may")
        case .replaced: .at(path, code: .replaced, text: "was replaced while it was being read; run again")
        case .lostRecord(let detail):
            .at(
                path, code: .retentionRecord,
                text:
                    "\(detail); it says which log dates are closed, and nothing else does; nothing is loaded or published: "
                    + "put it back from a backup, together with the partitions")
        case .lostSettled(let detail):
            .at(
                path, code: .settledPartition,
                text:
                    "\(detail); its figures are nowhere else, and nothing is published without it: put it back from a backup, "
                    + "or give the figures up for good with \(command: "backfill --give-up \(logDate)")")
        case .lostClosed(let detail):
            .at(
                path, code: .closedPartition,
                text:
                    "\(detail); it is left out, and nothing within reach settles: put it back from a backup, or give its figures "
                    + "up for good with \(command: "backfill --give-up \(logDate)")")
        case .stray:
            .at(
                path, code: .closedPartition,
                text:
                    "was put there after its log date was closed, and none was there before; it is left out; remove it")
        }
    }

    package var exitStatus: ExitStatus { kind == .busy ? .busy : .failedIO }

    /// The remedy: for a partition how to load it again, for any other file `other`.
    private func remedy(else other: MessageText) -> MessageText {
        file.logDate.map { "push.db lacks that log date until it is loaded again: \(command: "run --date \($0)")" }
            ?? other
    }

    /// The log date in a command that gives up the partition, or the placeholder `DATE`.
    private var logDate: String { file.logDate?.description ?? "DATE" }
}
