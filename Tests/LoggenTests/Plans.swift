import Calendar
import Reference
import Support
import Testing

@testable import loggen

/// A small plan of three dates, with the changes that a test needs.
func smallPlan(layout: String = "combined", _ change: (inout Plan) -> Void = { _ in }) throws -> Plan {
    let first = try #require(LogDate("2026-11-17"))
    var plan = Plan(
        seed: 7, recordsPerDate: 2000, firstDate: first, lastDate: first.adding(days: 2), kinds: Plan.Kind.allCases,
        filesPerKind: 2, ids: .hex, userAgents: 40, hasMcIDs: false, deliveries: 30, latePerMille: 30, noise: .all,
        layout: try #require(Layout(argument: layout)), level: 1, windowDays: 30,
        zone: try ZoneDatabase.zone("Europe/Madrid"))
    change(&plan)
    return plan
}

/// What a plan's files are and mean.
struct Written {
    let files: [LogFile.Summary]
    let bytes: [String: Bytes]
    let list: String
    let publication: Publication

    init(_ plan: Plan) throws {
        let folder = try ScratchFolder()
        let universe = Universe(plan: plan)
        files = try Loggen.write(universe, to: folder.root)
        list = CampaignList(universe: universe, files: files).text
        publication = try Truth(plan: plan, folder: folder.root, deliveries: list).publication
        var bytes: [String: Bytes] = [:]
        for file in plan.files { bytes[file.path] = try folder.bytes(file.path) }
        self.bytes = bytes
    }

    /// The values of some columns in the rows of a table.
    func rows(_ table: String, _ columns: String...) -> [[Cell]] {
        publication.tables.filter { $0.name == table }.flatMap { table in
            table.rows.map { row in columns.compactMap { table.columns.firstIndex(of: $0).map { row[$0] } } }
        }
    }
}

extension Cell {
    var number: Int { if case .integer(let number) = self { number } else { 0 } }
}
