/// Gives a file's unpacked bytes, a block at a time.
package protocol BlockSource: AnyObject {
    /// What the file has told; whole once `fill` has answered false.
    var report: FileReport { get }

    /// Fills the block with the bytes that come next. Where none do it answers false.
    func fill(_ block: inout Block) throws -> Bool
}

/// Takes a file's unpacked bytes, a block at a time.
package protocol ByteConsumer {
    /// Takes from the front of `bytes` and answers how many bytes it took; the rest comes again with more behind it.
    /// With `atEnd` nothing follows: what is not taken is lost.
    mutating func consume(_ bytes: Span<UInt8>, atEnd: Bool) throws -> Int

    /// The file is cut off behind `bytes`, which no call has taken yet.
    mutating func endCut(_ bytes: Span<UInt8>) throws
}

extension ByteConsumer {
    /// What is incomplete does not count.
    package mutating func endCut(_ bytes: Span<UInt8>) throws {}

    /// Takes all that a source gives of the file that it has begun, without a leading byte order mark. `block` is where
    /// it passes through.
    ///
    /// There may be bytes of a member that turns out to be damaged. Then forget what came of them and read the file again
    /// with `members` set to the report's `wholeMembers`: only so many members are unpacked.
    package mutating func consume(_ source: some BlockSource, through block: inout Block) throws -> FileReport {
        var leftover = Leftover()
        while try source.fill(&block) { try leftover.offer(&block, to: &self) }
        let report = source.report
        try leftover.finish(report.status, &self)
        return report
    }
}
