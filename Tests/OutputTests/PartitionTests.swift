import Events
import Foundation
import Messages
import Partitions
import Testing

@Suite struct PartitionTests {
    private let date = day("2026-11-19")

    @Test func aPartitionReadsBackAsItWasWritten() throws {
        let scene = try Scene()
        var hits = (1...100).map { Hit(id: $0 * 3, time: Int64($0) * 1000, records: Int($0) % 3 + 1) }
        hits += (1...50).map { Hit(idSpace: "other", kind: .uuid, id: $0, time: Int64($0), delivery: "d\($0 % 7)") }
        var load = Load(logDate: date, hits: hits)
        load.rejects = (1...5).map {
            Reject(source: "momo", path: "a.gz", line: $0, reason: "bad_json", detail: "", sample: "{")
        }
        try scene.load(load, blockSize: 7)

        let partition = try Partition(of: date, in: scene.folder)
        #expect(partition.summary == load.summary)
        #expect(try partition.names().deliveries == ["d0", "d1", "d2", "d3", "d4", "d5", "d6"])
        let entries = try partition.blockEntries()
        #expect(
            entries.keys.sorted() == [Section(idSpace: "other", kind: .uuid), Section(idSpace: "push", kind: .hex)])
        let push = try #require(entries[Section(idSpace: "push", kind: .hex)])
        #expect(try partition.blocks(push[...]).reduce(0) { $0 + $1.count } == 100)
        var lines: [Int] = []
        try partition.forEachReject { reject in
            lines.append(reject.line)
            return lines.count < 3
        }
        #expect(lines == [1, 2, 3])
        // What it has stored of them is what its events give.
        let (stored, counted) = (
            try partition.storedRows(), try partition.ownRows(settings: scene.settings(zone: "Asia/Tokyo")) { false }
        )
        #expect(stored.hours.map(\.ofHour).map { $0[0] + 9 } == counted.hours.map(\.ofHour).map { $0[0] })
        #expect(stored.funnel.map(\.counts) == counted.funnel.map(\.counts))
        #expect(try partition.ownRows(settings: scene.settings()) { false }.actions == stored.actions)
    }

    @Test func blocksOutOfOrderAreRefusedAndTheFileRemoved() throws {
        let scene = try Scene()
        let writer = try PartitionWriter(of: date, in: scene.folder)
        func block(_ id: UInt64) -> EventBlock {
            EventBlock(encoding: [Hit(id: id, time: 0).event(EventNames(sources: [], actions: [], deliveries: []))])
        }
        try writer.append(block(5), section: Section(idSpace: "push", kind: .hex))
        #expect(throws: Fault.disorder(scene.folder.partitionPath(date))) {
            try writer.append(block(4), section: Section(idSpace: "push", kind: .hex))
        }
        #expect(throws: Fault.disorder(scene.folder.partitionPath(date))) {
            try writer.append(block(6), section: Section(idSpace: "other", kind: .hex))
        }
    }

    @Test func leftOverTemporaryFilesAreRemovedOtherFilesStay() throws {
        let scene = try Scene()
        let folder = scene.folder.partitionsPath
        for name in [".2026-11-19.sqlite.1-a.tmp", "notes.txt", "2026-02-30.sqlite", ".hidden"] {
            try Data("x".utf8).write(to: URL(fileURLWithPath: "\(folder)/\(name)"))
        }
        #expect(try scene.folder.logDates().isEmpty)
        try scene.locked.removeLeftovers()
        #expect(try scene.names(in: folder) == [".hidden", "2026-02-30.sqlite", "notes.txt"])
    }

    @Test func anErrorKnowsWhichFileItIsAbout() throws {
        let scene = try Scene()
        func file(_ path: String) -> OutputFile { OutputError(.busy, at: path).file }
        #expect(file(scene.folder.databasePath) == .push)
        #expect(file(scene.folder.partitionPath(date)) == .partition(date))
        #expect(file(ClosedDates.path(in: scene.folder)) == .closedDates)
        let writer = try PartitionWriter(of: date, in: scene.folder)
        for path in [writer.temporaryPath, "\(scene.folder.partitionPath(date)).gpg"] { #expect(file(path) == .other) }
    }

    @Test func whatIsMissingOrOfAnotherDateIsAFact() throws {
        let scene = try Scene()
        let path = scene.folder.partitionPath(date)
        #expect(throws: OutputError(.missing, at: path)) { try Partition(of: date, in: scene.folder) }
        try scene.load(Load(logDate: date.adding(days: 1), hits: []))
        try FileManager.default.moveItem(atPath: scene.folder.partitionPath(date.adding(days: 1)), toPath: path)
        #expect(throws: OutputError(.corrupt("it holds the log date 2026-11-20"), at: path)) {
            try Partition(of: date, in: scene.folder)
        }
        try Data().write(to: URL(fileURLWithPath: path))
        #expect(throws: OutputError(.corrupt("it is not a SQLite database"), at: path)) {
            try Partition(path: path)
        }
    }
}
