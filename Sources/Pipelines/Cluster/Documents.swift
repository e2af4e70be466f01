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
        let count: Int
        /// By number.
        var frames: [Int: [UInt8]] = [:]
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
        guard number < count else { throw .damagedFrame }
        var known = parts[origin] ?? Parts(context: found, count: count)
        // Attempts of one task give the same document.
        guard known.count == count, known.context == found, known.frames[number] ?? content == content else {
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
            guard parts.frames.count == parts.count else { return nil }
            return parts.frames.sorted { $0.key < $1.key }.reduce(into: []) { $0 += $1.value }
        }
    }
}
