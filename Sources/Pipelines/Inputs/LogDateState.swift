import Calendar
import Foundation
import LogFiles
import Messages
import Output
import Partitions
import Posix

/// The state of a log date: its partition, compared with the files and the pipeline as they are now.
package struct LogDateState: Sendable {
    /// The state of the partition alone.
    package enum PartitionState: String, Sendable {
        case missing
        /// The partition cannot be read.
        case damaged
        case partial
        case complete
    }

    /// A change since the last load.
    package enum Reason: Hashable, Sendable {
        case newFile(path: String)
        /// The file has other bytes.
        case changedFile(path: String)
        /// The file could not be compared; the system's error code.
        case unreadableFile(path: String, code: Int32)
        case goneFile(path: String)
        /// The file exists, but the source's patterns no longer match it.
        case droppedFile(path: String, source: String)
        /// The pipeline file has another meaning for the log date.
        case changedPipeline
        /// The load was held back, and the pipeline file has other limits.
        case changedLimits
    }

    /// How final a log date is.
    package enum Phase: String, Sendable {
        /// It can be loaded.
        case open
        /// It is loaded no more.
        case closed
        /// Its figures are final. It still has the ids that other log dates need.
        case settled
        case erased
    }

    package let date: LogDate
    package internal(set) var phase = Phase.open
    package internal(set) var partition = PartitionState.missing
    /// The partition's summary; nil if it is missing or damaged.
    package internal(set) var summary: PartitionSummary?
    /// What is damaged or lost of the partition.
    package internal(set) var damage: OutputError?
    /// Whether the files of its load are enough to make the damaged partition of a closed log date anew. They are not
    /// if the log date has settled, and ids that it needs are erased.
    var isReplaceable = true
    /// Whether the damaged partition of a closed log date was loaded with another pipeline file. Other figures would come
    /// of the same files.
    var hasOtherPipeline = false
    /// Whether somebody has accepted the partition as it is, with `--force`.
    package internal(set) var isAccepted = false
    /// Why the partition is partial; empty for any other.
    var partialCauses: [PartialCause] = []
    /// The warnings of the partition's load, as far as push.db keeps them.
    package internal(set) var warnings = LoadWarnings()
    /// Why the last load was held back; nil if it was not.
    package internal(set) var held: HoldReason?
    /// Whether the last load was held back, but files and pipeline are again those of the partition.
    package internal(set) var isHoldOver = false
    /// The changes since the last load, held back or not: first files, in order. For a log date that is missing or
    /// damaged, only files of the partition that are not found any more.
    package internal(set) var reasons: [Reason] = []
    /// Number of files that exist now.
    package internal(set) var files = 0
    /// The size of these files on disk, in bytes.
    package internal(set) var bytes = 0
    /// Paths of files that were not read although they may have changed, or may be renamed files of the load.
    package internal(set) var uncompared: [String] = []
    /// What the cache is to keep of the files; nil if reading them has given nothing new. It keeps nothing of a log
    /// date whose ids are erased.
    var remembered: RememberedInputs?
    /// Why the folders could not be searched.
    package internal(set) var searchFailure: Fault?

    /// Whether it was loaded with another pipeline file, or by earlier rules of reading or of the zone.
    package internal(set) var isOfFormerPipeline = false

    init(date: LogDate) {
        self.date = date
    }

    /// Whether all of its files were compared with those of the last load.
    var isComparedWhole = true

    /// Whether its load lacked files or hours that the log dates before had. Known for `--force` alone.
    var lacksUsual = false

    /// Whether files that the partition was made from are not found any more.
    package internal(set) var isShrunk = false

    /// Of the files that are not found any more: the names of their sources that are no longer in the pipeline file.
    var formerSources: Set<String> = []

    /// Whether nothing is known of it: no files, no partition and no load that was held back.
    package var isEmpty: Bool {
        files == 0 && partition == .missing && held == nil && phase == .open && searchFailure == nil
    }

    /// Whether all log files were deleted, as happens to old logs. The figures stay.
    package var hasLostAll: Bool {
        phase == .open && isShrunk && files == 0 && !reasons.contains(where: \.isDroppedFile) && partition != .damaged
            && held == nil
    }

    /// Whether another load would give newer figures without losing events.
    package var isStale: Bool { phase == .open && !reasons.isEmpty && !isShrunk }

    /// The number of files that came too late: the log date is closed, and its load did not have them.
    package var refusedFiles: Int { phase == .open || partition == .damaged ? 0 : reasons.count(where: \.isOtherFile) }

    /// Whether a closed log date may be loaded again: its partition is damaged, and the files are exactly those of its
    /// load.
    var canReplaceDamage: Bool {
        phase != .open && partition == .damaged && isReplaceable && !hasOtherPipeline && files > 0 && hasFormerFiles
            && reasons.isEmpty
            && uncompared.isEmpty
    }

    /// Whether the last load was held back for a file that could not be read, and this file has not changed since.
    private var isHeldUnreadable: Bool {
        guard case .unreadableFile(let path, _) = held else { return false }
        return !reasons.contains { $0.path == path }
    }

    /// What ends the hold; nil if the last load was not held back.
    var remedyOfHold: Remedy? {
        guard let held else { return nil }
        return isHeldUnchanged || isHeldUnreadable || isShrunk ? held.remedy : Remedy()
    }

    /// What mends a partition that has lost files.
    var remedyOfShrunk: Remedy {
        let dropped = Set(reasons.compactMap(\.sourceOfDroppedFile)).sorted()
        var steps: [MessageText] = []
        if reasons.contains(where: \.isGoneFile) { steps.append("put the files back") }
        for source in dropped {
            steps.append(
                formerSources.contains(source)
                    ? "put source '\(source)' back into the pipeline file ('required: false' if it is not used any more)"
                    : "let 'files' of source '\(source)' match them again")
        }
        // Without any file nothing can be loaded.
        if files == 0 { return .byHand(steps.joined(separator: " and ")) }
        let load: MessageText = dropped.isEmpty ? ", or load it as it is now: " : ", or, to drop their figures: "
        return Remedy(steps.joined(separator: " and ") + load, options: " --only shrunk")
    }

    /// What mends the damaged partition.
    var remedyOfDamage: Remedy? {
        if damage?.isStray ?? false { return .removal }
        guard phase == .open else { return canReplaceDamage ? Remedy() : .backup }
        if held != nil, files > 0 { return remedyOfHold }
        if canBeLoadedAgain { return Remedy() }
        guard searchFailure == nil, isComparedWhole else { return Remedy("once its files are there: ") }
        if files > 0 || reasons.contains(where: \.isDroppedFile) { return remedyOfShrunk }
        return Remedy("put it back from a backup, or delete its file to give its figures up, or put its logs back: ")
    }

    /// Whether the files of a closed log date's load are known.
    var hasFormerFiles = false

    /// Whether the last load was held back and another attempt would end in the same way, as far as this can be known
    /// without reading files.
    package var isHeldUnchanged: Bool {
        guard let held else { return false }
        let hasStanding = partition != .missing && partition != .damaged
        return reasons.isEmpty && !held.mayPassUnseen && (hasStanding || !held.isOfStanding)
    }
}

extension LogDateState.Reason {
    /// The reason's code, the path of its file, and its words.
    private var facts: (code: String, path: String?, text: MessageText) {
        switch self {
        case .newFile(let path): ("new_file", path, "\(path: path) is new")
        case .changedFile(let path): ("changed_file", path, "\(path: path) has changed")
        case .unreadableFile(let path, let code):
            ("unreadable_file", path, "\(path: path) cannot be read: \(SystemError.reason(code))")
        case .goneFile(let path): ("gone_file", path, "\(path: path) is gone")
        case .droppedFile(let path, let source):
            ("dropped_file", path, "\(path: path) is no file of source '\(source)' any more")
        case .changedPipeline: ("changed_pipeline", nil, "the pipeline has changed")
        case .changedLimits: ("changed_limits", nil, "the limits have changed")
        }
    }

    fileprivate var text: MessageText { facts.text }

    fileprivate var path: String? { facts.path }

    /// The source that a file belonged to, if the file is there and the source no longer looks for it.
    fileprivate var sourceOfDroppedFile: String? {
        if case .droppedFile(_, let source) = self { source } else { nil }
    }

    /// Whether a file has bytes that the last load did not have.
    fileprivate var isOtherFile: Bool {
        if case .newFile = self { true } else if case .changedFile = self { true } else { false }
    }

    /// Whether a file of the last load, or of the partition, is not found any more.
    fileprivate var isUnfoundFile: Bool {
        isGoneFile || isDroppedFile
    }

    fileprivate var isGoneFile: Bool {
        if case .goneFile = self { true } else { false }
    }

    fileprivate var isDroppedFile: Bool {
        if case .droppedFile = self { true } else { false }
    }
}

extension LogDateState {
    /// The state, and why: `partial: logs/a.gz is truncated; stale: logs/b.gz has changed and 3 more`.
    package var text: MessageText {
        if let searchFailure { return searchFailure.message.text }
        var parts: [MessageText] = phase == .open ? [] : [phase == .erased ? "ids erased" : "\(phase.rawValue)"]
        switch partition {
        case .missing: if held == nil { parts.append(files > 0 ? "missing" : "no files") }
        case .damaged: parts.append("damaged" + (damage.map { ": \(LogDateState.clause($0))" } ?? ""))
        case .partial:
            let partial: MessageText = isAccepted ? "partial, accepted" : "partial"
            parts.append(partialCauses.isEmpty ? partial : "\(partial): \(partialCauses.text)")
        case .complete: break
        }
        if let held { parts.append(held.message.text) }
        if isHoldOver { parts.append("no longer held back: files and pipeline are those of what is loaded") }
        if phase != .open {
            if refusedFiles > 0 { parts.append("\(Text.plural(refusedFiles, of: "file")) too late") }
        } else if !reasons.isEmpty {
            parts.append("\(isShrunk ? "shrunk" : held == nil ? "stale" : "changed since"): \(changes)")
        }
        if !uncompared.isEmpty { parts.append("not compared: \(uncompared.few { "\(path: $0)" })") }
        return parts.isEmpty ? "up to date" : parts.joined(separator: "; ")
    }

    /// The first reasons in words, and the number of further ones. Files that have vanished come first.
    private var changes: MessageText {
        (reasons.filter(\.isUnfoundFile) + reasons.filter { !$0.isUnfoundFile }).few(\.text)
    }

    /// The message that the last load was held back, and why it is not tried again; nil if the load was not held back.
    package var heldBack: Message? {
        let cause: MessageText = isShrunk ? "files of the load before it are gone" : "nothing has changed"
        return held.map { $0.message(of: date, more: "; not read again, since \(cause)") }
    }

    /// The message that files came after the log date was closed, or that it is damaged and cannot be replaced; nil if
    /// neither is so.
    package var refused: Message? {
        if partition == .damaged {
            // Publishing says it.
            if damage?.isStray ?? false { return nil }
            var message = Message(
                .closed, text: "\(date) is closed and damaged, and \(whyNotReplaced)", logDate: date)
            message.remedy = .backup
            return message
        }
        guard refusedFiles > 0 else { return nil }
        let changed = reasons.count { if case .changedFile = $0 { true } else { false } }
        let files = [(refusedFiles - changed, "new file"), (changed, "changed file")].filter { $0.0 > 0 }
            .map { Text.plural($0.0, of: $0.1) }.joined(separator: " and ")
        let were = refusedFiles == 1 ? "was" : "were"
        return Message(.closed, text: "\(date) is closed: \(files) \(were) not loaded", logDate: date)
    }
}

extension LogDateState {
    /// Why the damaged partition of a closed log date cannot be made anew from files.
    private var whyNotReplaced: MessageText {
        if !isReplaceable { return "its final figures cannot be made anew, since the ids that they need are erased" }
        if hasOtherPipeline { return "can be made anew with the pipeline file of its load only" }
        let why: MessageText =
            if !hasFormerFiles {
                "which are not known"
            } else if !reasons.isEmpty {
                changes
            } else {
                uncompared.isEmpty ? "there are no files" : "some were not compared"
            }
        return "is loaded from exactly the files of its former load only: \(why)"
    }

    /// What is wrong with a partition, without its path.
    private static func clause(_ error: OutputError) -> MessageText {
        if let loss = error.loss { return "\(path: error.path) \(loss)" }
        return error.damage.map { "\($0)" } ?? error.message.text
    }
}

extension LogDateState: Encodable {
    /// The counts are those of the partition. Only `input_…` count the present files. Values that do not apply are left
    /// out.
    package func encode(to encoder: any Encoder) throws {
        let paths = encoder.shownPaths
        let hold = (held?.message.shown(paths)).map { message in
            ["reason": message.code.nameOfHeldBack, "message": message.words]
        }
        let detail = damage.map { Message(of: $0).text } ?? (partialCauses.isEmpty ? nil : partialCauses.text)
        try encoder.encode([
            "log_date": date, "status": partition.rawValue, "phase": phase.rawValue, "stale": isStale,
            "shrunk": isShrunk, "held": hold, "detail": detail?.shown(paths),
            "warnings": warnings.isEmpty ? nil : warnings.codes,
            "warning_messages": warnings.sentences.isEmpty ? nil : warnings.sentences.map { $0.shown(paths) },
            "reasons": reasons,
            "files": summary?.files ?? 0, "records": summary?.records ?? 0, "events": summary?.events ?? 0,
            "rejected": summary?.rejected ?? 0, "input_files": files, "input_bytes": bytes,
            "uncompared_files": uncompared.count,
            "uncompared": uncompared.isEmpty ? nil : uncompared.map(paths.opening),
        ])
    }
}

extension LogDateState.Reason: Encodable {
    package func encode(to encoder: any Encoder) throws {
        let facts = facts
        try encoder.encode(["reason": facts.code, "path": facts.path.map(encoder.shownPaths.opening)])
    }
}
