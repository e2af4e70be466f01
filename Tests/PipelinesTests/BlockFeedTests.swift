import Foundation
import LogFiles
import Messages
import Reference
import Support
import Testing

@testable import Pipelines

/// Keeps all lines up to a limit, and then throws.
private struct Collecting: ByteConsumer {
    struct Refusal: Error {}

    var bytes: [UInt8] = []
    var limit = Int.max

    mutating func consume(_ offered: Span<UInt8>, atEnd: Bool) throws -> Int {
        guard bytes.count <= limit else { throw Refusal() }
        var count = offered.count
        while !atEnd && count > 0 && offered[count - 1] != 0x0A { count -= 1 }
        append(offered.extracting(0..<count))
        return count
    }

    mutating func endCut(_ offered: Span<UInt8>) {
        append(offered)
    }

    private mutating func append(_ more: Span<UInt8>) {
        more.withUnsafeBufferPointer { bytes += $0 }
    }
}

/// Files of several blocks.
private let files: [(name: String, bytes: [UInt8])] = {
    let text = Array((0..<60_000).map { "line \($0 &* 2_654_435_761 % 1_000_003)\n" }.joined().utf8)
    let member = GzipRecipe(level: 1).member(text)
    let half = GzipRecipe(level: 6).member(Array(text.prefix(text.count / 2)))
    var damaged = half + member
    damaged[damaged.count - 7] ^= 1
    return [
        ("whole", member), ("members", half + [0, 0] + half + member), ("damaged", damaged),
        ("truncated", Array(member.dropLast(1000))), ("plain", text), ("empty", []),
        ("trailing bytes", half + Array("tail".utf8)),
    ]
}()

private func read(
    _ path: String, from feed: BlockFeed, limit: Int = .max, members: Int = .max,
    didRead: @escaping @Sendable (Int) throws -> Void = { _ in }
) throws -> (report: FileReport, bytes: [UInt8]) {
    defer { feed.end() }
    try feed.begin(path, bytes: .max, members: members, didRead: didRead)
    var consumer = Collecting(limit: limit)
    var block = Block()
    return (try feed.feed(&consumer, through: &block), consumer.bytes)
}

@Suite struct BlockFeedTests {
    @Test func unpackingAheadDoesNotChangeWhatIsRead() throws {
        let folder = try ScratchFolder()
        let alone = BlockFeed(idle: Monitor(0))
        let idle = Monitor(1)
        let helped = BlockFeed(idle: idle, leastLeft: 0)
        for (name, bytes) in files + files.reversed() {
            try folder.write(bytes, to: "file")
            for members in [Int.max, 1] {
                let (report, expected) = try read(folder.path("file"), from: alone, members: members)
                let other = try read(folder.path("file"), from: helped, members: members)
                let isSame = other.bytes == expected
                #expect(isSame, "\(name)")
                #expect(other.report.status == report.status, "\(name)")
                #expect(other.report.bytes == bytes.count, "\(name)")
                #expect(other.report.fingerprint == report.fingerprint, "\(name)")
                #expect(other.report.wholeMembers == report.wholeMembers, "\(name)")
                #expect(other.report.trailingBytesAt == report.trailingBytesAt, "\(name)")
            }
        }
        #expect(idle.change { $0 } == 1, "the thread was returned every time")
    }

    @Test func aReaderThatStopsEndsTheUnpackingThread() throws {
        let folder = try ScratchFolder()
        let idle = Monitor(1)
        let feed = BlockFeed(idle: idle, leastLeft: 0)
        // More blocks than are unpacked ahead.
        try folder.write(GzipRecipe(level: 1).member([UInt8](repeating: 0x0A, count: 20_000_000)), to: "large")
        for limit in [0, 300_000, 5_000_000] {
            #expect(throws: Collecting.Refusal.self) { try read(folder.path("large"), from: feed, limit: limit) }
            #expect(idle.change { $0 } == 1)
        }
        #expect(try read(folder.path("large"), from: feed).bytes.count == 20_000_000)
    }

    @Test(arguments: [0, 1, 100_000, 300_000])
    func aStopReachesTheUnpackingThread(after limit: Int) throws {
        let folder = try ScratchFolder()
        let feed = BlockFeed(idle: Monitor(1), leastLeft: 0)
        try folder.write((0..<400_000).map { UInt8(truncatingIfNeeded: $0) }, to: "file")
        let progress = LoadProgress()
        #expect(throws: Stopped.self) {
            try read(folder.path("file"), from: feed) { count in
                progress.update { $0.readBytes += count }
                if progress.now.readBytes > limit { throw Stopped() }
            }
        }
    }
}
