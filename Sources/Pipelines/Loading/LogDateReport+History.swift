import Foundation
import Ledger
import Messages
import Output

extension LogDateReport {
    /// The load's row of `loads`, with the sentences that a command prints, paths as they are stored; nil if nothing was read,
    /// if the installed partition has the same content and the same warnings already, or if the load was stopped. Samples of
    /// rejects are left out, since they may be kept for so long only as ids are.
    var record: LoadRecord? {
        let warnings = LoadWarnings(codes: warnings.map(\.code), sentences: warnings.map { $0.text.shown(.stored) })
        guard let verdict = recordedVerdict, !isUnchanged || warnings != standingWarnings else { return nil }
        let lines = ([message()].compactMap { $0 } + foreignFiles).map { $0.text.shown(.stored) } + warnings.sentences
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
