import Foundation
import Hashing
import SQLite
import Support
import Testing

private let partition = "out/partitions/2026-11-19.sqlite"

/// A block whose low words of ids end lower than they begin, with the hash of its bytes.
private func unsorted(_ block: [UInt8]) -> [UInt8] {
    var block = block
    // The first id, above all others.
    for index in 44..<52 { block[index] = 0xFF }
    let hash = WordHash.of(block.span.extracting(8..<block.count))
    for index in 0..<8 { block[index] = UInt8(truncatingIfNeeded: hash >> UInt64(8 * index)) }
    return block
}

@Suite(.needsPushetl)
struct OwnFilesTests {
    /// As somebody may make it on purpose: the hash fits the block.
    @Test func aBlockWhoseIDsAreNotSortedIsDamageOfThatPartition() throws {
        let place = try Workplace.withHits((1...60).map { Workplace.hit("h\($0),d\($0),7") })
        try place.scratch.write(Workplace.hit("h1,d,7") + "\n", to: "logs/2026-11-20.log")
        let both = ["backfill", "--from", "2026-11-19", "--to", "2026-11-20"]
        #expect(try place.run(both).exit == 0)
        let figures = try place.dump()
        let database = try Database(place.scratch.path(partition))
        let blocks = try database.rows("SELECT number, block FROM events") { row in
            (try row.read(0) as Int, try row.read(1) as [UInt8])
        }
        for (number, block) in blocks {
            try database.execute("UPDATE events SET block = ? WHERE number = ?", binding: .of(unsorted(block), number))
        }
        database.close()
        #expect(try place.run("explain", "h7").exit == 74)
        #expect(try place.run("doctor").exit == 65)
        let run = try place.run("run", "--date", "2026-01-01", "--memory", "64M")
        #expect(run.exit == 74, "\(run)")
        #expect(
            run.stderr.contains("\(partition): the database is damaged (a block of events: inconsistent"), "\(run)")
        #expect(try place.rows("SELECT log_date FROM partitions") == ["2026-11-20"])
        #expect(try place.run(both).exit == 0)
        #expect(try place.dump() == figures)
    }
}
