import Foundation

/// Values that came as documents in frames: in any order, some of them more than once.
struct Documents<Value: Decodable> {
    /// Who a document is of, and what about.
    private struct Origin: Hashable {
        let key: UInt32
        let sender: Int
    }

    private struct Parts {
        /// That of all frames, but for their numbers.
        let label: Frame.Label
        /// By number.
        var contents: [Int: [UInt8]] = [:]
    }

    private var parts: [Origin: Parts] = [:]

    /// Reads to the end of a step, or if `endsWithStream` of the stream.
    ///
    /// - Parameter key: that of all frames; nil for any.
    /// - Throws: `ClusterError`, `Stopped`.
    init(
        _ kind: Frame.Kind, of job: Frame.Label.Job, key: UInt32? = nil, from reader: FrameReader, endsWithStream: Bool
    ) throws {
        while let frame = try reader.next(kind, of: job, endsWithStream: endsWithStream) {
            guard frame.key == key ?? frame.key else { throw ClusterError.foreignFrame }
            var label = frame.label
            label.number = 0
            let number = frame.label.number
            guard (0..<label.count).contains(number) else { throw ClusterError.damagedFrame }
            let origin = Origin(key: frame.key, sender: label.sender)
            var known = parts[origin] ?? Parts(label: label)
            // Attempts of one task give the same document.
            guard known.label == label, known.contents[number] ?? frame.content == frame.content else {
                throw ClusterError.contradictingAttempts
            }
            known.contents[number] = frame.content
            parts[origin] = known
        }
    }

    /// The document of a sender; nil if not all parts of it have come.
    func value(key: UInt32 = 0, from sender: Int) throws(ClusterError) -> Value? {
        guard let parts = parts[Origin(key: key, sender: sender)], parts.contents.count == parts.label.count else {
            return nil
        }
        let document = parts.contents.sorted { $0.key < $1.key }.reduce(into: Data()) { $0 += $1.value }
        do {
            return try JSONDecoder().decode(Value.self, from: document)
        } catch {
            throw .damagedFrame
        }
    }
}
