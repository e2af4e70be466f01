import Reference
import Support
import Testing

@testable import loggen

/// A small plan of three dates, with the options that a test needs.
func smallPlan(_ options: String = "") throws -> Plan {
    let usual = "--seed 7 --records 2000 --from 2026-11-17 --to 2026-11-19 --deliveries 30"
    return try Plan.parse("\(usual) \(options)".split(separator: " ").map(String.init))
}

/// A plan's files by their paths.
func files(_ plan: Plan) throws -> [String: Bytes] {
    let folder = try ScratchFolder()
    try Loggen.write(Universe(plan: plan), to: folder.root)
    return try plan.allFiles.reduce(into: [:]) { $0[$1.path] = try folder.bytes($1.path) }
}

/// What a plan's files mean.
struct Written {
    let list: String
    let publication: Publication
    private let tables: [OutputTable]

    init(_ plan: Plan) throws {
        let folder = try ScratchFolder()
        let universe = Universe(plan: plan)
        try Loggen.write(universe, to: folder.root)
        list = CampaignList(universe: universe).text
        publication = try Truth(plan: plan, folder: folder.root, deliveries: list).publication
        tables = publication.tables
    }

    /// The values of some columns in the rows of a table.
    func rows(_ table: String, _ columns: String...) -> [[Cell]] {
        tables.filter { $0.name == table }.flatMap { table in
            table.rows.map { row in columns.compactMap { table.columns.firstIndex(of: $0).map { row[$0] } } }
        }
    }
}

extension Cell {
    var number: Int { if case .integer(let number) = self { number } else { 0 } }
}
