import Calendar
import Foundation
import SQLite

extension Database {
    /// Adds a command to the history. Two short commands may have equal rows. The duration of the second one is then
    /// changed by the smallest possible step.
    func add(_ run: RunRecord) throws {
        var run = run
        while try !run.insertIfNew(into: self) { run.seconds = run.seconds.nextUp }
    }

    /// Adds loads to the history, and notes the warnings of installed loads. If two loads of a log date have the same
    /// times, the second one ends a second later.
    /// - Parameter versions: the versions of the installed partitions.
    func add(_ loads: [LoadRecord], versions: [LogDate: String]) throws {
        for var load in loads {
            while try !load.insertIfNew(into: self) { load.finishedAt += 1000 }
            guard load.stands, let version = versions[load.logDate] else { continue }
            let warnings = load.warnings
            let date = load.logDate.description
            let told = LoadWarnings.Told(sentences: warnings.sentences, gaps: warnings.gaps)
            let sentences = String(decoding: try JSONEncoder.stored.encode(told), as: UTF8.self)
            try execute(
                "INSERT OR REPLACE INTO _warnings VALUES (?, ?, ?, ?, ?)",
                binding: .of(date, version, warnings.column ?? "", sentences, warnings.isAccepted ? 1 : 0))
        }
    }
}
