import Calendar
import Messages
import Output
import Partitions

/// A load whose partition is installed but not published yet, with the messages about it. If a command is killed before
/// it tells of its load, the next command does.
///
/// It is the file `partitions/.kept/2026-11-19.load`, written before the partition.
package struct PendingLoad: Codable, Sendable {
    private struct Warning: Codable {
        let code: MessageCode
        let sentence: MessageText
        let path: String?
        let gap: MessageText?

        init(_ message: Message) {
            code = message.code
            sentence = message.sentence
            path = message.path
            gap = message.gap
        }
    }

    /// The version of the partition that it makes.
    let version: String
    package private(set) var record: LoadRecord
    private var warnings: [Warning]

    package var date: LogDate { record.logDate }

    package var messages: [Message] {
        warnings.map { Message($0.code, text: $0.sentence, logDate: record.logDate, path: $0.path) }
    }

    /// The warnings in the form of the history.
    var recorded: LoadWarnings {
        LoadWarnings(
            codes: warnings.map(\.code.name), sentences: warnings.map(\.sentence), gaps: warnings.compactMap(\.gap))
    }

    /// Nil if the load has no row for the history.
    init?(_ report: LogDateReport, version: String) {
        guard let record = report.record else { return nil }
        self.record = record
        self.version = version
        warnings = report.warnings.map { Warning($0.about(report.date, isNamed: false)) }
    }

    /// Reads the pending load of a log date; nil if there is none.
    init?(_ date: LogDate, in output: OutputFolder) {
        guard let load: PendingLoad = output.cachedValue(PendingLoad.name(date)) else { return nil }
        self = load
    }

    /// The log dates of all that are there, in order.
    static func dates(in output: OutputFolder) -> [LogDate] {
        let names = output.ownCachePath.flatMap { try? OutputFolder.names(in: $0) } ?? []
        return names.compactMap { OwnName.logDate(of: $0, endings: [OwnName.load]) }.sorted()
    }

    /// The load with further warnings.
    func adding(_ others: [Message]) -> PendingLoad {
        if others.isEmpty { return self }
        var load = self
        load.warnings += others.map { Warning($0) }
        load.record.warnings = load.recorded
        load.record.detail = ([record.detail].compactMap { $0 } + others.map { $0.sentence.shown(.stored) }).joined(
            separator: "\n")
        return load
    }

    func write(in locked: LockedOutput) { locked.cacheValue(self, as: PendingLoad.name(record.logDate), durably: true) }

    static func remove(_ date: LogDate, in locked: LockedOutput) { locked.removeCached(name(date)) }

    private static func name(_ date: LogDate) -> String { "\(date)" + OwnName.load }
}
