/// Where a file's records go: the bytes to gzip, what they mean to the truth.
struct Output: ~Copyable {
    var buffer = ByteBuffer(capacity: 512 * 1024)
    var truth: FileTruth
    private(set) var records = 0
    private var gzip: GzipFile
    private let memberRecords: Int

    init(path: String, file: Plan.File, plan: Plan, keepsHits: Bool) throws {
        truth = FileTruth(file: file, keepsHits: keepsHits)
        gzip = try GzipFile(path: path, level: plan.level)
        memberRecords = plan.memberRecords
    }

    /// Called at each record's end; several records may end at once.
    mutating func endRecord(_ count: Int = 1) throws {
        let endsMember = memberRecords > 0 && records / memberRecords != (records + count) / memberRecords
        records += count
        if buffer.count >= 256 * 1024 || endsMember { try flush() }
        if endsMember { try gzip.startMember() }
    }

    mutating func finish() throws -> FileTruth {
        try flush()
        try gzip.close()
        truth.packedBytes = gzip.compressedBytes
        return truth
    }

    private mutating func flush() throws {
        try gzip.write(buffer.bytes)
        truth.unpackedBytes += buffer.count
        buffer.removeAll()
    }
}
