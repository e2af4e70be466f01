import Foundation
import Support
import Testing

@testable import Cluster
@testable import Pipelines

@Suite struct FrameTests {
    private let job = Frame.Label.Job(program: "1.0", pipeline: "0f", zone: "UTC", shards: 3)
    private let frame: Frame
    private let folder: ScratchFolder

    init() throws {
        folder = try ScratchFolder()
        var label = Frame.Label(job: job)
        (label.sender, label.number, label.count) = (7, 2, 3)
        frame = Frame(kind: .accounts, key: 5, label: label, content: Array("content".utf8))
    }

    private func parsed(_ bytes: [UInt8]) -> Frame? {
        let head = Array(bytes.prefix(Frame.headSize))
        guard let length = Frame.payloadLength(head: head), bytes.count == Frame.headSize + length else { return nil }
        return Frame(head: head, payload: Array(bytes.dropFirst(Frame.headSize)))
    }

    /// A reader of these bytes.
    private func reader(_ bytes: some Sequence<UInt8>) throws -> FrameReader {
        let file = try #require(FileHandle(forReadingAtPath: try folder.file(bytes)))
        return FrameReader(dup(file.fileDescriptor), stop: StopFlag())
    }

    /// The head as a script may read it, with `struct.unpack("<4sHHIII12x", head)`.
    @Test func aFrameHasTheBytesOfItsFormat() throws {
        let label = """
            {"count":3,"job":{"pipeline":"0f","program":"1.0","shards":3,"zone":"UTC"},"number":2,"sender":7}

            """
        let payload = Array((label + "content").utf8)
        let head = Array("PSHF".utf8) + [2, 0, 2, 0, 5, 0, 0, 0, UInt8(payload.count), 0, 0, 0]
        let checksum: [UInt8] = [0x6A, 0x4D, 0x0A, 0x69]
        let bytes = try frame.bytes
        #expect(bytes == head + checksum + [UInt8](repeating: 0, count: 12) + payload)
        #expect(Frame.key(ofDay: 20_776) == 2_147_504_424)
        #expect(Frame.day(ofKey: Frame.key(ofDay: -1)) == -1)
    }

    @Test func aFrameWithAnyOtherByteIsDamaged() throws {
        let whole = try frame.bytes
        #expect(parsed(whole)?.content == frame.content)
        #expect(parsed(whole)?.label == frame.label)
        for index in whole.indices {
            for bit in 0..<8 as Range<UInt8> {
                var bytes = whole
                bytes[index] ^= 1 << bit
                #expect(parsed(bytes) == nil)
            }
        }
    }

    @Test func framesAreReadUntilTheEndOfTheStep() throws {
        let bytes = try frame.bytes
        let reader = try reader(bytes + bytes + [UInt8](repeating: 0, count: 32) + bytes)
        #expect(try reader.next(.accounts, of: job, endsWithStream: true)?.label.sender == 7)
        #expect(try reader.next(.accounts, of: job, endsWithStream: false)?.key == 5)
        #expect(try reader.next(.accounts, of: job, endsWithStream: false) == nil)
        #expect(try reader.next(.accounts, of: job, endsWithStream: true) != nil)
        #expect(throws: ClusterError.givenUp) { try reader.next(.accounts, of: job, endsWithStream: false) }
        #expect(try reader.next(.accounts, of: job, endsWithStream: true) == nil)
    }

    @Test func aFrameOfAnotherKindOrJobIsForeign() throws {
        let others = [
            Frame.Label.Job(program: "1.1", pipeline: "0f", zone: "UTC", shards: 3),
            Frame.Label.Job(program: "1.0", pipeline: "1f", zone: "UTC", shards: 3),
            Frame.Label.Job(program: "1.0", pipeline: "0f", zone: "CET", shards: 3),
            Frame.Label.Job(program: "1.0", pipeline: "0f", zone: "UTC", shards: 4),
        ]
        for (kind, job) in [(Frame.Kind.report, job)] + others.map({ (.accounts, $0) }) {
            let reader = try reader(frame.bytes)
            #expect(throws: ClusterError.foreignFrame) { try reader.next(kind, of: job, endsWithStream: true) }
        }
    }

    @Test func aDocumentMayTakeManyFramesAndComeTwiceInAnyOrder() throws {
        let text = String(repeating: "a document of more than a frame ", count: 140_000)
        let file = try #require(FileHandle(forUpdatingAtPath: try folder.file([], "document")))
        var label = Frame.Label(job: job)
        label.sender = 1
        try FrameWriter(file.fileDescriptor).write(text, .report, label)
        var frames: [[UInt8]] = []
        let written = try reader(try folder.bytes("document"))
        while let frame = try written.next(.report, of: job, endsWithStream: true) { frames.append(try frame.bytes) }
        #expect(frames.count == 2)
        #expect(frames.allSatisfy { $0.count <= 4 << 20 })
        func document(_ frames: [[UInt8]]) throws -> String? {
            let reader = try reader(frames.reduce([], +))
            return try Documents<String>(.report, of: job, from: reader, endsWithStream: true).value(from: 1)
        }
        #expect(try document(frames.reversed() + frames) == text)
        #expect(try document([frames[1]]) == nil)
        var other = label
        (other.count, other.number) = (2, 1)
        let contradicting = try Frame(kind: .report, key: 0, label: other, content: [1]).bytes
        #expect(throws: ClusterError.contradictingAttempts) { try document(frames + [contradicting]) }
    }

    @Test func aLengthTakesNoMemoryForWhatDoesNotCome() throws {
        func megabytes() -> Int {
            var usage = rusage()
            getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
            return usage.ru_maxrss / 1024
        }
        let before = megabytes()
        let reader = try reader([0xFF, 0xFF, 0xFF, 0xFF, 1, 2, 3])
        #expect(throws: ClusterError.givenUp) { try reader.document() }
        #expect(megabytes() - before < 1024)
    }

    @Test(arguments: [1, 31, 33, 38])
    func aCutFrameIsDamaged(_ count: Int) throws {
        let reader = try reader(frame.bytes.prefix(count))
        #expect(throws: ClusterError.damagedFrame) { try reader.next(.accounts, of: job, endsWithStream: true) }
    }
}
