/// A source of a file's unpacked bytes, block by block.
package protocol BlockSource: AnyObject {
    /// The report about the file. It is complete after `fill` has returned false.
    var report: FileReport { get }

    /// Fills the block with the next bytes. Returns false at the end of the file.
    func fill(_ block: inout Block) throws -> Bool
}

extension BlockSource {
    /// Reads a file. Of a damaged one the members before the damaged one count. Damage shows only at a member's end;
    /// then the file is read again, up to that member.
    ///
    /// - Parameters:
    ///   - begin: begins a reading, with the largest number of members. The consumer must forget what it took before.
    package func read<Consumer: ByteConsumer>(
        _ consumer: inout Consumer, through block: inout Block,
        begin: (inout Consumer, Int) throws -> Void
    ) throws -> FileReport {
        try begin(&consumer, .max)
        let report = try feed(&consumer, through: &block)
        guard report.status == .damaged else { return report }
        try begin(&consumer, report.wholeMembers)
        return try feed(&consumer, through: &block)
    }

    /// Passes all bytes of the current file to a consumer, without a leading byte order mark. `block` is the buffer for
    /// them. The bytes may include a gzip member that turns out to be damaged.
    package func feed(_ consumer: inout some ByteConsumer, through block: inout Block) throws -> FileReport {
        // What the consumer did not take. It is offered again, in front of the next block.
        var rest: [UInt8] = []
        var hasOffered = false
        while try fill(&block) {
            if hasOffered, block.prepend(rest) {
                block.dropFirst(try consumer.consume(block.span, atEnd: false))
                rest.removeAll(keepingCapacity: true)
                block.span.withUnsafeBufferPointer { rest.append(contentsOf: $0) }
                continue
            }
            block.span.withUnsafeBufferPointer { rest.append(contentsOf: $0) }
            // A byte order mark has three bytes.
            guard hasOffered || rest.count >= 3 else { continue }
            if !hasOffered, rest.starts(with: [0xEF, 0xBB, 0xBF]) { rest.removeFirst(3) }
            hasOffered = true
            rest.removeFirst(try consumer.consume(rest.span, atEnd: false))
        }
        let report = report
        guard report.status == .truncated else {
            _ = try consumer.consume(rest.span, atEnd: true)
            return report
        }
        // One or two bytes at the start of the file have not been offered yet.
        if !hasOffered { rest.removeFirst(try consumer.consume(rest.span, atEnd: false)) }
        try consumer.endCut(rest.span)
        return report
    }
}
