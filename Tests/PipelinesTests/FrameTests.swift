import Foundation
import Support
import Testing

@testable import Events
@testable import Pipelines

@Suite struct FrameTests {
    private let frame = Frame(.events, key: 5, sender: 7, number: 2, count: 0, payload: Array("content".utf8))

    private func parsed(_ bytes: [UInt8]) -> Frame? {
        let head = Array(bytes.prefix(Frame.headSize))
        guard let length = Frame.payloadLength(head: head), bytes.count == Frame.headSize + length else { return nil }
        return Frame(head: head, payload: Array(bytes.dropFirst(Frame.headSize)))
    }

    /// The head as a script may read it, with `struct.unpack("<4sHHIIIIII", head)`.
    @Test func aFrameHasTheBytesOfItsFormat() {
        #expect(
            frame.bytes == Array("PSHF".utf8) + [
                1, 0, 1, 0, 5, 0, 0, 0, 7, 0, 0, 0, 7, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0,
            ]
                + [0x3E, 0xAB, 0xF6, 0x68] + Array("content".utf8))
        #expect(Frame.key(ofDay: 20_776) == 2_147_504_424)
        #expect(Frame.day(ofKey: Frame.key(ofDay: -1)) == -1)
    }

    @Test func aFrameWithAnyOtherByteIsDamaged() {
        #expect(parsed(frame.bytes)?.payload == frame.payload)
        for index in frame.bytes.indices {
            for bit in 0..<8 as Range<UInt8> {
                var bytes = frame.bytes
                bytes[index] ^= 1 << bit
                #expect(parsed(bytes) == nil)
            }
        }
    }

    @Test func framesAreReadUntilTheEndOfTheStep() throws {
        let folder = try ScratchFolder()
        let path = try folder.file(frame.bytes + frame.bytes + [UInt8](repeating: 0, count: 32) + frame.bytes)
        let file = open(path, O_RDONLY)
        defer { close(file) }
        let reader = FrameReader(file, stop: StopFlag())
        #expect(try reader.next()?.sender == 7)
        #expect(try reader.next(endsWithStream: false)?.key == 5)
        #expect(try reader.next(endsWithStream: false) == nil)
        #expect(try reader.next() != nil)
        #expect(throws: ClusterError.givenUp) { try reader.next(endsWithStream: false) }
        #expect(try reader.next() == nil)
    }

    @Test func aLengthTakesNoMemoryForWhatDoesNotCome() throws {
        let folder = try ScratchFolder()
        let file = open(try folder.file([0xFF, 0xFF, 0xFF, 0xFF, 1, 2, 3]), O_RDONLY)
        defer { close(file) }
        func megabytes() -> Int {
            var usage = rusage()
            getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
            return usage.ru_maxrss / 1024
        }
        let before = megabytes()
        #expect(throws: ClusterError.givenUp) { try FrameReader(file, stop: StopFlag()).document() }
        #expect(megabytes() - before < 1024)
    }

    @Test(arguments: [1, 31, 33, 38])
    func aCutFrameIsDamaged(_ count: Int) throws {
        let folder = try ScratchFolder()
        let file = open(try folder.file(frame.bytes.prefix(count)), O_RDONLY)
        defer { close(file) }
        #expect(throws: ClusterError.damagedFrame) { try FrameReader(file, stop: StopFlag()).next() }
    }
}
