import Foundation
import Warehouse

extension LogDateReport {
    /// The load's row of `loads`; nil if nothing was read, if the installed partition has the same content already, or if
    /// the load was stopped. `detail` is the message about the load.
    func record(detail: String?) -> LoadRecord? {
        guard !isUnchanged, let verdict = recordedVerdict else { return nil }
        return LoadRecord(
            logDate: Int32(date.dayNumber), startedAt: started.milliseconds, finishedAt: finished.milliseconds,
            verdict: verdict, detail: detail, files: files, records: tally.records, accepted: tally.accepted,
            filtered: tally.filtered, rejected: tally.rejected, events: isLoaded ? events : nil,
            duplicates: isLoaded ? duplicates : nil)
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
