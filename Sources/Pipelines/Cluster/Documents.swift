import Events
import Foundation

/// Puts documents together that came in frames: in any order, some of them more than once.
struct Documents {
    /// Who a document is of, and what about.
    struct Origin: Hashable {
        let key: UInt32
        let sender: Int
    }

    private struct Parts {
        let context: FrameContext
        var frames: [[UInt8]?]
    }

    private let kind: Frame.Kind
    private let context: FrameContext
    private var parts: [Origin: Parts] = [:]

    /// Expects documents of one kind and job.
    init(_ kind: Frame.Kind, _ context: FrameContext) {
        self.kind = kind
        self.context = context
    }

    mutating func add(_ frame: Frame) throws(ClusterError) {
        var reader = ByteReader(frame.payload)
        guard frame.kind == kind, let found = try? FrameContext(&reader), found.isOfJob(context) else {
            throw .foreignFrame
        }
        let content = reader.rest
        let origin = Origin(key: frame.key, sender: Int(frame.sender))
        let (number, count) = (Int(frame.number), Int(frame.count))
        guard number < count, count < 1 << 20 else { throw .damagedFrame }
        var known = parts[origin] ?? Parts(context: found, frames: Array(repeating: nil, count: count))
        // Attempts of one task give the same document.
        guard known.frames.count == count, known.context == found, known.frames[number] ?? content == content else {
            throw .contradictingAttempts
        }
        known.frames[number] = content
        parts[origin] = known
    }

    /// A value as a document of JSON. All attempts of a task give the same bytes: keys are sorted. A dictionary whose keys are
    /// neither texts nor `Int` has an order of its own in each process, so no such value has one.
    static func bytes(_ value: some Encodable) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return [UInt8](try encoder.encode(value))
    }

    /// The documents of which all parts have come.
    var complete: [Origin: [UInt8]] {
        parts.compactMapValues { parts in
            let frames = parts.frames.compactMap { $0 }
            return frames.count == parts.frames.count ? Array(frames.joined()) : nil
        }
    }
}
