import Events
import Foundation
import SQLite
import Support
import Testing
import Warehouse

@Suite struct OutputRepairTests {
    /// Programs between two releases have one version of the schema, and may have other columns.
    @Test func theColumnsOfAnEarlierProgramOfTheSameSchemaAreBroughtUp() throws {
        let scene = try Scene()
        try scene.load(Load(logDate: day("2026-11-19"), hits: [Hit(id: 1, time: time("2026-11-19 10:00:00"))]))
        try scene.publish()
        let before = try scene.dump()
        try Connection(path: scene.folder.databasePath).inDatabase {
            try $0.execute(
                sql: "ALTER TABLE daily_funnel RENAME COLUMN opened_of_messages TO open_rate; "
                    + "ALTER TABLE days DROP COLUMN log_date_status")
        }
        let kept = String(decoding: try #require(scene.folder.cached("push.digests")), as: UTF8.self)
        scene.folder.cache(
            Array(kept.replacing(/"columns":[0-9]+/, with: "\"columns\":1").utf8), as: "push.digests", durably: true)
        let publication = try scene.publish()
        #expect(publication.faults == nil)
        #expect(publication.rebuild?.earlierSchema == 5)
        #expect(publication.rebuild?.foreign.leftOut.isEmpty == true)
        #expect(try scene.dump() == before)
        #expect(try scene.publish().rebuild == nil)
    }
}
