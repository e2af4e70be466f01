/// What a publishing is to do about old log dates.
package struct Closing: Equatable, Sendable {
    /// The last log date to close; nil to close no more. A lower one than the record has changes nothing.
    package var through: Int32?
    /// Log dates that it passes although they need something.
    package var skipped: Set<Int32>
    /// What was done before the publishing, by tasks of a cluster; nil if nothing was.
    var done: ClosingResult?

    package init(through: Int32? = nil, skipped: Set<Int32> = []) {
        self.through = through
        self.skipped = skipped
    }
}

/// What a publishing has done about old log dates.
package struct ClosingResult: Equatable, Sendable {
    /// The last closed log date; nil if there is none.
    package internal(set) var through: Int32?
    /// How many were closed just now, loaded or not.
    package internal(set) var closed = 0
    /// In order, like `erased`.
    package internal(set) var settled: [Int32] = []
    /// The log dates whose ids were erased.
    package internal(set) var erased: [Int32] = []
    /// A log date with a partition that is damaged or gone, so that those within reach do not settle; nil if there is none.
    package internal(set) var hindrance: Int32?
    /// Why files could not be removed.
    package internal(set) var failure: WarehouseError?
}
