import Foundation
import Warehouse

extension LogDateReport {
    /// Its row of `loads`; nil where nothing was read, where the partition that stands says the same already, and where the
    /// load was stopped.
    /// `detail` is the message about it.
    func record(detail: String?) -> LoadRecord? {
        guard !isUnchanged, let verdict = recordedVerdict else { return nil }
        return LoadRecord(
            logDate: Int32(date.dayNumber), startedAt: started.milliseconds, finishedAt: finished.milliseconds,
            verdict: verdict, detail: detail, files: files, records: tally.records, accepted: tally.accepted,
            filtered: tally.filtered, rejected: tally.rejected, events: isLoaded ? events : nil,
            duplicates: isLoaded ? duplicates : nil)
    }

    private var recordedVerdict: LoadRecord.Verdict? {
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
    /// Since 1970.
    var milliseconds: Int64 { Int64((timeIntervalSince1970 * 1000).rounded(.down)) }
}
