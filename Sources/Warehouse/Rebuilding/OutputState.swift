import Posix

/// What is in the place of push.db, compared with what the last command left there.
struct OutputState: Sendable {
    enum Content: Sendable {
        /// The rows are those that the last command left. They have these digests.
        case sound(TableDigests)
        /// It is not known what the last command left. The rows, which have these digests, must be compared with the
        /// partitions.
        case uncompared(TableDigests)
        /// All tables must be made anew: there is no file, or an earlier version of the program wrote it, or it has
        /// faults.
        case unusable(earlierSchema: Int?)
    }

    var content: Content
    var faults = OutputFaults()
    /// The file that was compared; nil if there is none.
    var stamp: FileStamp?
    /// Whether it is in WAL mode, which another tool may have set.
    var hasWAL = false

    static var missing: OutputState { OutputState(content: .unusable(earlierSchema: nil)) }

    static func rebuilt(because difference: OutputFaults.Difference) -> OutputState {
        OutputState(content: .unusable(earlierSchema: nil), faults: OutputFaults(differences: [difference]))
    }

    /// Whether there is no file, and no command has left one.
    var isMissing: Bool {
        if case .unusable(earlierSchema: nil) = content { faults.isEmpty } else { false }
    }

    var isUnusable: Bool {
        if case .unusable = content { true } else { false }
    }

    /// Whether the file must be written even if no row changes.
    var needsWriting: Bool { isUnusable || !faults.isEmpty }

    /// The digests of the rows as they are; nil if all tables must be made anew.
    var digests: TableDigests? {
        switch content {
        case .sound(let digests), .uncompared(let digests): digests
        case .unusable: nil
        }
    }

    /// Takes over the result of a comparison with the partitions.
    mutating func resolve(_ differences: [OutputFaults.Difference]) {
        guard let digests else { return }
        faults.differences += differences
        content = differences.isEmpty ? .sound(digests) : .unusable(earlierSchema: nil)
    }
}
