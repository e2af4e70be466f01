import Events

/// What a frame belongs to. A frame with another program, pipeline or number of shards is foreign.
struct FrameContext: Equatable, Sendable {
    let program: String
    /// The pipeline's fingerprint, and the version of its zone's rules.
    let pipeline: String
    let shards: Int
    /// In days since 1970-01-01; 0 if the frame belongs to no log date.
    var logDate: Int32 = 0
    /// The fingerprint of the file's bytes; empty if the frame belongs to no file.
    var file = ""

    init(program: String, pipeline: String, shards: Int) {
        self.program = program
        self.pipeline = pipeline
        self.shards = shards
    }

    /// Reads the context at the front of a payload.
    init(_ reader: inout ByteReader) throws(ByteReaderError) {
        program = try reader.text()
        pipeline = try reader.text()
        shards = Int(try reader.number(UInt32.self))
        logDate = try reader.number()
        file = try reader.text()
    }

    func write(to writer: inout ByteWriter) {
        writer.add(program)
        writer.add(pipeline)
        writer.add(UInt32(shards))
        writer.add(logDate)
        writer.add(file)
    }

    /// Whether both are of the same job, whatever the file.
    func isOfJob(_ other: FrameContext) -> Bool {
        program == other.program && pipeline == other.pipeline && shards == other.shards
    }
}
