import Dispatch
import Events
import Foundation
import Testing

@testable import Warehouse

/// A partition that is finished and put in its place while its figures are computed.
@Suite struct ArrivingTests {
    private static let date = day("2026-11-19")

    private static func load(_ offset: Int32, _ ids: ClosedRange<UInt64>, version: String? = nil) -> Load {
        let hits = ids.map { Hit(id: $0, time: Int64(date + offset) * 86_400_000 + Int64($0) * 1000, records: 2) }
        return Load(logDate: date + offset, hits: hits, version: version ?? "\(offset)")
    }

    /// `finishesLate`: it is finished by another thread, which takes its time.
    private func publish(_ load: Load, in scene: Scene, arrives: Bool = true, finishesLate: Bool = false) throws {
        let writer = Handed(try PartitionWriter(logDate: load.logDate, folder: scene.folder))
        try scene.fill(writer.writer, load, finishes: !finishesLate)
        var means = PublicationMeans()
        means.arriving = [try writer.writer.arriving()]
        means.justWritten = [load.logDate]
        let group = DispatchGroup()
        if finishesLate {
            DispatchQueue.global().async(group: group) {
                usleep(30_000)
                if arrives { try? writer.writer.install() } else { writer.writer.discard() }
            }
        }
        _ = try scene.output.publish(scene.settings(), means: means) { _, _ in
            group.wait()
            guard arrives else { throw WarehouseError.full(path: "nowhere") }
            if !finishesLate { try writer.writer.install() }
            return nil
        }
    }

    /// `@unchecked Sendable`: one thread after the other uses the writer.
    private final class Handed: @unchecked Sendable {
        let writer: PartitionWriter

        init(_ writer: PartitionWriter) {
            self.writer = writer
        }
    }

    @Test(arguments: [[], [-1], [-1, 1], [0], [-2, -1, 0, 1]], [false, true])
    func itsFiguresAreThoseOfOneThatStands(others: [Int32], finishesLate: Bool) throws {
        let (scene, other) = (try Scene(), try Scene())
        for offset in others {
            for each in [scene, other] { try each.load(Self.load(offset, 5...20, version: "former \(offset)")) }
        }
        if !others.isEmpty { for each in [scene, other] { try each.publish() } }
        try publish(Self.load(0, 1...9), in: scene, finishesLate: finishesLate)
        try other.load(Self.load(0, 1...9))
        try other.publish()
        #expect(try scene.dump() == other.dump())
        // Nothing is left to do, and what is kept serves as well as what is computed anew.
        #expect(try scene.output.isCurrent(scene.settings()))
        try scene.load(Self.load(3, 8...30))
        try other.load(Self.load(3, 8...30))
        for each in [scene, other] { try each.publish() }
        #expect(try scene.dump() == other.dump())
    }

    @Test func whereItIsNotFinishedThoseWhoWaitAreTold() throws {
        let scene = try Scene()
        try scene.load(Self.load(-1, 5...20))
        try scene.publish()
        let before = try scene.dump()
        #expect(throws: WarehouseError.disorder(path: scene.folder.partitionPath(Self.date))) {
            try publish(Self.load(0, 1...9), in: scene, arrives: false, finishesLate: true)
        }
        #expect(try scene.dump() == before)
    }

    @Test func whereItDoesNotArriveNothingChanges() throws {
        let scene = try Scene()
        try scene.load(Self.load(-1, 5...20))
        try scene.load(Self.load(0, 5...6, version: "former"))
        try scene.publish()
        let before = try scene.dump()
        #expect(throws: WarehouseError.full(path: "nowhere")) {
            try publish(Self.load(0, 1...9), in: scene, arrives: false)
        }
        #expect(try scene.dump() == before)
        try scene.publish()
        #expect(try scene.dump() == before)
        #expect(
            try scene.names(in: scene.folder.partitionsPath) == [".kept", "2026-11-18.sqlite", "2026-11-19.sqlite"])
    }
}
