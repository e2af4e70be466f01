import Foundation
import Reference
import Support

/// What a command that loads said.
struct LoadingOutcome {
    let exit: Int32
    let stderr: String
    /// The verdict on each log date that was read; nil if the command did not come to print it.
    private(set) var verdicts: [Day: String]?
    /// The log dates that were left alone since they lost files.
    private(set) var shrunk: Set<Day> = []
    /// Those that were left alone since their last load was held back.
    private(set) var stillHeld: Set<Day> = []
    /// Warnings about push.db.
    private(set) var pushWarnings: [String] = []

    init(_ outcome: Program.Outcome) {
        exit = outcome.exit
        stderr = outcome.stderr
        guard let json = try? JSONSerialization.jsonObject(with: Data(outcome.stdout.utf8)) as? [String: Any] else {
            // A command that was killed has printed nothing.
            return
        }
        func list(_ key: String) -> [[String: Any]] { json[key] as? [[String: Any]] ?? [] }
        func day(_ item: [String: Any]) -> Day? { (item["log_date"] as? String).flatMap { Day($0) } }
        verdicts = json["log_dates"] == nil ? nil : [:]
        for item in list("log_dates") {
            if let day = day(item) { verdicts?[day] = item["verdict"] as? String }
        }
        shrunk = Set(list("skipped").filter { $0["shrunk"] as? Bool == true }.compactMap(day))
        stillHeld = Set(list("skipped").filter { $0["held"] is [String: Any] }.compactMap(day))
        pushWarnings = list("warnings").compactMap { $0["message"] as? String }.filter { $0.contains("push.db: ") }
    }

    /// The first lines of what it printed for people.
    var summary: String {
        "exit code \(exit)\n" + stderr.split(separator: "\n").prefix(8).joined(separator: "\n")
    }
}
