import Calendar
import Messages
import Output
import Partitions

/// What became of the log dates of a command.
package struct LoadsReport: Sendable {
    /// The log dates that were to be loaded, in order.
    package let dates: [LogDateReport]
    /// Loads of earlier commands that are installed, but were neither published nor told. In order.
    package let earlier: [PendingLoad]
    /// Log dates that were compared and left alone, in order.
    package let skipped: [LogDateState]
    /// The skipped log dates whose last load was held back, if that is the only reason to skip them.
    package let heldBack: [LogDateState]
    /// Whether any log date asked for has files.
    package let hasInput: Bool

    /// The skipped log dates that are closed, and are loaded or have files.
    package var closed: [LogDateState] {
        skipped.filter { $0.phase != .open && ($0.files > 0 || $0.partition != .missing) }
    }

    /// The closed log dates that are damaged and cannot be made anew.
    var refusedDamage: Set<LogDate> {
        Set(closed.filter { $0.partition == .damaged && $0.refused != nil }.map(\.date))
    }

    /// The rows of `loads`.
    var records: [LoadRecord] { earlier.map(\.record) + dates.compactMap(\.record) }

    /// The most serious exit status of all log dates.
    var status: ExitStatus {
        var statuses = dates.filter { !$0.hasNoFiles }.map(\.status)
        if !hasInput { statuses.append(.noInput) }
        if closed.contains(where: { $0.partition == .damaged }) { statuses.append(.failedIO) }
        if !heldBack.isEmpty || closed.contains(where: { $0.refusedFiles > 0 }) { statuses.append(.badData) }
        return statuses.max() ?? .done
    }

    /// Whether a log date has failed with the same error, so that it is told with that log date.
    func haveFailed(of error: any Error) -> Bool {
        let message = Message(of: error)
        return dates.contains { date in
            if case .failed(let failure) = date.verdict { Message(of: failure) == message } else { false }
        }
    }

    /// - Parameter noFiles: makes the notice about log dates without files.
    func notices(_ request: DateRequest, noFiles: ([LogDate]) -> Notice) -> [Notice] {
        // A log date that was loaded again has its own report.
        let read = Set(dates.map(\.date))
        let untold = earlier.filter { !read.contains($0.date) }.flatMap { load in
            load.messages.map { Notice(.warning, message: $0.about(load.date)) }
        }
        let loads = dates.flatMap { date in
            date.hasNoFiles ? [noFiles([date.date])] : date.notices(isNamed: request.dates.count > 1)
        }
        let others = closed.compactMap(\.refused) + heldBack.compactMap(\.heldBack)
        return untold + loads + others.map { Notice(.error, message: $0) }
            + (dates.isEmpty && !hasInput ? [noFiles(request.dates)] : [])
    }
}
