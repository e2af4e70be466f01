import Foundation
import Pipelines
import Posix

/// Reads frames from a stream.
struct FrameReader {
    /// The memory for the first bytes of something, if it may have so many.
    private static let leastRead = 1 << 16

    private let file: FileDescriptor
    private let stop: StopFlag

    init(_ descriptor: Int32, stop: StopFlag) {
        file = FileDescriptor(descriptor, path: "stdin")
        self.stop = stop
    }

    /// The next frame, of a kind and a job; nil at the end of a step, or if `endsWithStream` at the end of the stream.
    ///
    /// - Throws: `ClusterError`; `.givenUp` at the end of the stream if it should have gone on; `Stopped`.
    func next(_ kind: Frame.Kind, of job: Frame.Label.Job, endsWithStream: Bool) throws -> Frame? {
        let head = try read(Frame.headSize)
        if head.isEmpty {
            guard endsWithStream else { throw ClusterError.givenUp }
            return nil
        }
        if head.count == Frame.headSize, head.allSatisfy({ $0 == 0 }) { return nil }
        guard let length = Frame.payloadLength(head: head), let frame = Frame(head: head, payload: try read(length))
        else { throw ClusterError.damagedFrame }
        guard frame.kind == kind, frame.label.job == job else { throw ClusterError.foreignFrame }
        return frame
    }

    /// The only document of a step, which is no frame: its length in four bytes, little-endian, and its bytes.
    ///
    /// - Throws: `ClusterError`; `.givenUp` if the stream ends too early; `Stopped`.
    func document() throws -> [UInt8] {
        let length = try read(4).reversed().reduce(0) { $0 << 8 | Int($1) }
        let bytes = try read(length)
        guard try read(Frame.headSize).count == Frame.headSize else { throw ClusterError.givenUp }
        return bytes
    }

    /// Reads so many bytes; fewer at the end of the stream. A signal may stop it while it waits. Memory is taken for what has
    /// come, whatever the count is.
    private func read(_ count: Int) throws -> [UInt8] {
        var bytes: [UInt8] = []
        var filled = 0
        while filled < count {
            if filled == bytes.count {
                bytes += repeatElement(0, count: min(count - filled, max(filled, FrameReader.leastRead)))
            }
            try stop.check()
            var ready = pollfd(fd: file.number, events: Int16(POLLIN), revents: 0)
            guard poll(&ready, 1, 200) > 0 else { continue }
            let got = bytes.withUnsafeMutableBytes { buffer in
                Foundation.read(file.number, buffer.baseAddress.map { $0 + filled }, buffer.count - filled)
            }
            if got < 0 && errno == EINTR { continue }
            guard got >= 0 else {
                throw ClusterError.system(SystemError(call: "read", path: file.path, code: errno))
            }
            if got == 0 { return Array(bytes.prefix(filled)) }
            filled += got
        }
        return bytes
    }
}
