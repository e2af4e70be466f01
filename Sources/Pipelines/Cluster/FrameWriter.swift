import Events
import Posix

/// Writes frames to a stream.
struct FrameWriter {
    /// The most bytes of a context.
    private static let contextBytes = 1 << 10
    /// The most bytes of content in a frame.
    static let mostContent = Frame.mostPayload - contextBytes

    private let file: FileDescriptor

    init(_ descriptor: Int32) {
        file = FileDescriptor(descriptor, path: "stdout")
    }

    func write(_ frame: Frame) throws(ClusterError) {
        do {
            try file.write(frame.bytes.span)
        } catch {
            throw .system(path: file.path, call: error.call, code: error.code)
        }
    }

    /// Writes a document in as many frames as it needs, at least one.
    func write(
        _ document: [UInt8], _ kind: Frame.Kind, key: UInt32 = 0, sender: Int = 0, _ context: FrameContext
    ) throws(ClusterError) {
        let count = max(1, (document.count + FrameWriter.mostContent - 1) / FrameWriter.mostContent)
        for number in 0..<count {
            var writer = ByteWriter()
            context.write(to: &writer)
            let content = document.dropFirst(number * FrameWriter.mostContent).prefix(FrameWriter.mostContent)
            try write(
                Frame(
                    kind, key: key, sender: sender, number: number, count: count, payload: writer.bytes + content))
        }
    }
}
