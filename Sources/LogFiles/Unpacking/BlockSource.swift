/// A source of a file's unpacked bytes, block by block.
package protocol BlockSource: AnyObject {
    /// The report about the file. It is complete after `fill` has returned false.
    var report: FileReport { get }

    /// Fills the block with the next bytes. Returns false at the end of the file.
    func fill(_ block: inout Block) throws -> Bool
}

extension BlockSource {
    /// Passes all bytes of the current file to a consumer, without a leading byte order mark. `block` is the buffer for
    /// them.
    ///
    /// The bytes may include a gzip member that turns out to be damaged. In this case discard all results, and read the
    /// file again with `members` set to the report's `wholeMembers`.
    package func feed(_ consumer: inout some ByteConsumer, through block: inout Block) throws -> FileReport {
        var leftover = Leftover()
        while try fill(&block) { try leftover.offer(&block, to: &consumer) }
        let report = report
        try leftover.finish(report.status, &consumer)
        return report
    }
}
