import Foundation
import Posix
import Warehouse

/// Writes frames to a stream.
struct FrameWriter {
    /// The most bytes of a label of a document.
    private static let labelBytes = 1 << 10
    /// The most bytes of a document in a frame.
    static let mostContent = Frame.mostPayload - labelBytes

    private let file: FileDescriptor

    init(_ descriptor: Int32) {
        file = FileDescriptor(descriptor, path: "stdout")
    }

    func write(_ frame: Frame) throws {
        try write(try frame.bytes)
    }

    /// Writes a value as a document: in as many frames as it needs, at least one.
    func write(_ value: some Encodable, _ kind: Frame.Kind, key: UInt32 = 0, _ label: Frame.Label) throws {
        var rest = [UInt8](try JSONEncoder.stored.encode(value))[...]
        var label = label
        label.count = (rest.count - 1) / FrameWriter.mostContent + 1
        for number in 0..<label.count {
            label.number = number
            try write(Frame(kind: kind, key: key, label: label, content: Array(rest.prefix(FrameWriter.mostContent))))
            rest = rest.dropFirst(FrameWriter.mostContent)
        }
    }

    func write(_ bytes: [UInt8]) throws(ClusterError) {
        do {
            try file.write(bytes.span)
        } catch {
            throw .system(error)
        }
    }
}
