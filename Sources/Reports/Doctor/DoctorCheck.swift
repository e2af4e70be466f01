/// A check of `doctor`, and what came of it, in words.
package struct DoctorCheck: Encodable, Equatable, Sendable {
    /// In the order in which they are made.
    package enum Name: String, CaseIterable, Encodable, Sendable {
        /// push.db opens read-only, with no file beside it.
        case opens
        /// SQLite's own check of its pages.
        case structure
        /// Tables, columns, types and keys are those of this version.
        case definitions
        /// All partitions can be read, and are published.
        case partitions
        /// The rows are those that follow from the partitions.
        case figures
        /// The rows of the ledger are those that follow from the partitions.
        case ledger
        /// The usual queries find their rows by a key.
        case plans
        /// How many deliveries have no name. No fault.
        case names
        /// How many messages are of an unknown platform. No fault.
        case platforms
        /// How many log dates were loaded with another pipeline file than the one last published with. No fault.
        case pipelines
        /// How many days with events are of log dates that are not loaded. No fault.
        case loaded
        /// How many deliveries have many events on days before they were sent: the times of the delivery file may be of another
        /// zone. No fault.
        case sendTimes = "send_times"
        /// How many deliveries have more messages than were delivered. No fault.
        case delivered

        /// What was found if nothing is wrong, and if something is.
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
            case .ledger:
                (
                    "the ledger's rows are those that follow from the partitions",
                    "rows of the ledger do not follow from the partitions"
                )
            case .plans: ("the usual queries find their rows by a key", "usual queries read whole tables")
            case .names, .platforms, .pipelines, .loaded, .sendTimes, .delivered: ("", "")
            }
        }
    }

    package enum Status: String, Encodable, Sendable {
        case ok, fault
        /// An earlier check has faults that leave nothing to check here.
        case skipped
        /// What is told and is no fault.
        case note
    }

    /// What to do about a setting of the file that others have changed.
    static let setBack = "the next 'run' or 'backfill' sets that back"

    /// Something that is wrong.
    struct Fault {
        let text: String
        /// What to do about it, if that is not what helps most faults.
        var advice: String?
    }

    package let name: Name
    package let status: Status
    /// What was checked, or what to do about the faults.
    package let detail: String
    package let faults: [String]

    /// The usual advice is about push.db and the ledger.
    init(_ name: Name, _ faults: [Fault], usual: String = "the next 'run' or 'backfill' sets them back") {
        self.name = name
        status = faults.isEmpty ? .ok : .fault
        detail = faults.first.map { "\(name.sentences.fault); \($0.advice ?? usual)" } ?? name.sentences.ok
        self.faults = faults.map(\.text)
    }

    private init(_ name: Name, _ status: Status, _ detail: String, _ faults: [String] = []) {
        (self.name, self.status, self.detail, self.faults) = (name, status, detail, faults)
    }

    static func note(_ name: Name, _ detail: String, _ lines: [String] = []) -> DoctorCheck {
        DoctorCheck(name, .note, detail, lines)
    }

    static func skipped(_ name: Name, _ reason: String) -> DoctorCheck {
        DoctorCheck(name, .skipped, "not checked: \(reason)")
    }
}
