import Foundation
import Reference

/// Compares what a program says of log dates before and after their files are rotated.
struct RotationLaw {
    private let shell: HistoryBash
    private let before: LoadingOutcome?
    /// What `status` says of each log date whose files were as they were read.
    private let states: [String: String]

    /// - Parameter before: a command that had nothing more to load.
    init(_ shell: HistoryBash, _ before: LoadingOutcome?) throws {
        (self.shell, self.before) = (shell, before)
        states = try RotationLaw.states(shell).filter { !$0.value.contains(",") }
    }

    func checkStates() throws {
        let after = try RotationLaw.states(shell)
        for (date, state) in states where after[date] != state {
            throw HistoryFault(.rotation, "status says that \(date) is \(after[date] ?? "gone"); it was \(state)")
        }
    }

    func checkLoads(_ after: LoadingOutcome?) throws {
        for (date, verdict) in after?.verdicts ?? [:] where states["\(date)"] != nil {
            if verdict == before?.verdicts?[date] { continue }
            throw HistoryFault(.rotation, "\(date) was loaded again, and is \(verdict)")
        }
    }

    /// What `status` says of each log date, such as `complete` or `missing, held back`.
    static func states(_ shell: HistoryBash) throws -> [String: String] {
        let states = try logDates(shell).map { date in
            let isChanged = date["stale"] as? Bool == true || date["shrunk"] as? Bool == true
            // What is loaded came from other files, or nothing was read.
            let notes = (isChanged ? ", changed" : "") + (date["held"] is [String: Any] ? ", held back" : "")
            return ("\(date["log_date"] ?? "")", "\(date["status"] ?? "")\(notes)")
        }
        return Dictionary(states) { $1 }
    }

    /// The log dates that `status` calls held back, all of whose files it has compared.
    static func held(_ shell: HistoryBash) throws -> Set<String> {
        let held = try logDates(shell).filter { $0["held"] is [String: Any] && $0["uncompared_files"] as? Int == 0 }
        return Set(held.compactMap { $0["log_date"] as? String })
    }

    private static func logDates(_ shell: HistoryBash) throws -> [[String: Any]] {
        let outcome = try shell.run("pushetl status -p push.yaml --json")
        let json = try JSONSerialization.jsonObject(with: Data(outcome.stdout.utf8)) as? [String: Any]
        return json?["log_dates"] as? [[String: Any]] ?? []
    }
}
