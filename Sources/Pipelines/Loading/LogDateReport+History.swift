import Foundation
import Ledger
import Output

extension LogDateReport {
    /// What a command prints about a load.
    package struct Description {
        /// About the load itself: why it was not loaded, or not completely; nil if it was.
        let message: String?
        let warnings: LoadWarnings

        package init(message: String?, warnings: LoadWarnings) {
            self.message = message
            self.warnings = warnings
        }
    }

    /// The load's row of `loads`; nil if nothing was read, if the installed partition has the same content and the same warnings
    /// already, or if the load was stopped.
    func record(_ description: Description) -> LoadRecord? {
        let warnings = description.warnings
        guard let verdict = recordedVerdict, !isUnchanged || warnings != standingWarnings else { return nil }
        let lines = [description.message].compactMap { $0 } + warnings.sentences
        let detail = lines.isEmpty ? nil : lines.joined(separator: "\n")
        return LoadRecord(
            logDate: Int32(date.dayNumber), startedAt: started.milliseconds, finishedAt: finished.milliseconds,
            verdict: verdict, detail: detail, warnings: warnings.column, files: files, records: tally.records,
            accepted: tally.accepted, filtered: tally.filtered, rejected: tally.rejected,
            events: isLoaded ? events : nil, duplicates: isLoaded ? duplicates : nil)
    }

    /// The verdict as `loads` has it; nil if it is not in there.
    package var recordedVerdict: LoadRecord.Verdict? {
        switch verdict {
        case .complete: .complete
        case .partial: .partial
        case .heldBack: .heldBack
        case .failed(let error): error is Stopped ? nil : .failed
        case .noFiles: nil
        }
    }
}

extension Date {
    /// Milliseconds since 1970-01-01T00:00:00Z.
    var milliseconds: Int64 { Int64((timeIntervalSince1970 * 1000).rounded(.down)) }
}
