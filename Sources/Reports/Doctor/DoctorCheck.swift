import Foundation
import Messages

/// A check of `doctor` with its result in words.
package struct DoctorCheck: Encodable, Equatable, Sendable {
    /// In the order in which they are made.
    package enum Name: String, CaseIterable, Encodable, Sendable {
        case opens, structure, definitions, partitions, figures, plans
        // These checks only give notes, never faults.
        case names, platforms, pipelines, loaded
        case sendTimes = "send_times"
        case delivered

        /// The sentence if nothing is wrong, and the one if something is.
        fileprivate var sentences: (ok: String, fault: String) {
            switch self {
            case .opens: ("opens read-only, with no file beside it", "a BI tool cannot read it as it is")
            case .structure: ("SQLite's quick_check finds nothing", "the file is damaged")
            case .definitions:
                ("tables, columns, types and keys are those of this version", "tables are not as they should be")
            case .partitions:
                ("all partitions can be read, and are published", "partitions are damaged or not published")
            case .figures:
                (
                    "all rows are those that follow from the partitions",
                    "rows of push.db do not follow from the partitions"
                )
            case .plans: ("the usual queries find their rows by a key", "usual queries read whole tables")
            case .names, .platforms, .pipelines, .loaded, .sendTimes, .delivered: ("", "")
            }
        }
    }

    package enum Status: String, Encodable, Sendable {
        case ok, fault
        /// The check was left out, since faults of an earlier check make it meaningless.
        case skipped
        /// A fact that is no fault.
        case note
    }

    /// The advice about a setting of the file that another program has changed.
    static let setBack = "the next 'run' or 'backfill' sets that back"

    /// Something that is wrong.
    struct Fault {
        let text: String
        /// The remedy, if the usual one of the check does not help.
        var advice: String?
    }

    package let name: Name
    package let status: Status
    /// What was checked, or the remedies for the faults.
    package let detail: String
    package let faults: [String]

    /// `usual` is the remedy for faults without their own advice.
    init(_ name: Name, faults: [Fault], usual: String = "the next 'run' or 'backfill' makes its tables anew") {
        self.name = name
        status = faults.isEmpty ? .ok : .fault
        detail = faults.first.map { "\(name.sentences.fault); \($0.advice ?? usual)" } ?? name.sentences.ok
        self.faults = faults.map(\.text)
    }

    private init(_ name: Name, status: Status, detail: String, lines faults: [String] = []) {
        self.name = name
        self.status = status
        self.detail = detail
        self.faults = faults
    }

    static func note(_ name: Name, detail: String, lines: [String] = []) -> DoctorCheck {
        DoctorCheck(name, status: .note, detail: detail, lines: lines)
    }

    static func skipped(_ name: Name, because reason: String) -> DoctorCheck {
        DoctorCheck(name, status: .skipped, detail: "not checked: \(reason)")
    }
}
