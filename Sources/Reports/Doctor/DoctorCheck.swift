/// A check of `doctor`, and what came of it.
package struct DoctorCheck: Equatable, Sendable {
    /// In the order in which they are made.
    package enum Name: String, CaseIterable, Sendable {
        /// push.db opens read-only, with no file beside it.
        case opens
        /// SQLite's own check of its pages.
        case structure
        /// Tables, columns, types and keys are those of this version.
        case definitions
        /// Each value is of its column's declared type.
        case types
        /// Days, hours, times and rates of a row agree with one another.
        case days
        /// Tables have the same sums where they share columns.
        case agreement
        /// `columns_help` explains every column, and nothing else.
        case help
        /// Every day between the first and the last log date has a row in `calendar`.
        case calendar
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
    }

    package enum Outcome: Equatable, Sendable {
        case ok
        case faults([DoctorFault])
        /// What is told and is no fault: the next command does it anyway.
        case told([DoctorFault])
        /// An earlier check has faults that leave nothing to check here.
        case skipped(Skip)
        /// A share that is only told.
        case share(part: Int, whole: Int)
    }

    package enum Skip: String, Equatable, Sendable {
        /// push.db cannot be read, or is damaged.
        case unreadable
        /// Tables are missing or have other columns.
        case definitions
        /// Values have another type or size than they may have.
        case values
        /// push.db does not show what is in the partitions yet.
        case unpublished
    }

    package let name: Name
    package let outcome: Outcome

    package var hasFaults: Bool {
        if case .faults = outcome { true } else { false }
    }

    init(_ name: Name, _ faults: [DoctorFault]) {
        self.name = name
        outcome = faults.isEmpty ? .ok : .faults(faults)
    }

    init(_ name: Name, outcome: Outcome) {
        self.name = name
        self.outcome = outcome
    }
}
