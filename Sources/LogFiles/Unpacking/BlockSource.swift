/// Gives a file's unpacked bytes, a block at a time.
package protocol BlockSource: AnyObject {
    /// What the file has told; whole once `fill` has returned false.
    var report: FileReport { get }

    /// Fills the block with the bytes that come next. Returns false where no bytes follow.
    func fill(_ block: inout Block) throws -> Bool
}

extension BlockSource {
    /// Gives all of the file that was begun to a consumer, without a leading byte order mark. The bytes pass through
    /// `block`.
    ///
    /// There may be bytes of a member that turns out to be damaged. Then forget what came of them and read the file again
    /// with `members` set to the report's `wholeMembers`: only so many members are unpacked.
    package func feed(_ consumer: inout some ByteConsumer, through block: inout Block) throws -> FileReport {
        var leftover = Leftover()
        while try fill(&block) { try leftover.offer(&block, to: &consumer) }
        let report = report
        try leftover.finish(report.status, &consumer)
        return report
    }
}
