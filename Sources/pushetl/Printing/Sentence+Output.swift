import Foundation
import Warehouse

extension Sentence {
    /// How push.db differed from what the last command had left, and what was done about it.
    func of(_ faults: OutputFaults, _ rebuild: OutputRebuild?, at path: String) -> String {
        var parts = faults.differences.map(of) + faults.settings.map { "another value of \($0)" }
        // What a rebuild leaves out is told with its SQL below.
        parts += faults.triggers.map { trigger in
            "trigger \(trigger.name.shown) on one of its tables"
                + (rebuild == nil ? " (\(trigger.sql.shown))" : "")
        }
        let done = rebuild.map { "it was rebuilt from the partitions" + of($0) } ?? "that was set back"
        return "\(paths(path)): was changed by something else: \(parts.joined(separator: ", ")); \(done)"
    }

    /// An upgrade of push.db.
    func ofUpgrade(_ rebuild: OutputRebuild, from schema: Int, at path: String) -> String {
        "\(paths(path)): was written by an earlier pushetl (schema \(schema)); it was made anew from the partitions"
            + of(rebuild)
    }

    /// A fault that the next command will not look for.
    func notNoted(in folder: OutputFolder) -> String {
        "\(paths(folder.cachePath)): the fault could not be noted here, so the next 'run' or 'backfill' may not see it; give "
            + "'doctor' the rights to write there, or remove that folder"
    }

    /// A difference because of which push.db is rebuilt.
    func of(_ difference: OutputFaults.Difference) -> String {
        switch difference {
        case .damage(let detail): "damage (\(detail.shown))"
        case .encoding(let encoding): "texts in \(encoding)"
        case .missingTable(let table): "no table \(table.shown)"
        case .otherDefinition(let table): "other columns or another key in table \(table.shown)"
        case .otherRows(let table, let dates):
            "other rows in table \(table.shown)" + (dates.isEmpty ? "" : " (\(Text.few(dates) { $0 }))")
        }
    }

    /// What became of things that others have added.
    private func of(_ rebuild: OutputRebuild) -> String {
        var text = rebuild.foreign.renamed.map { "; \($0.from.shown) of others is \($0.to.shown) now" }.joined()
        if !rebuild.foreign.brokenViews.isEmpty {
            let views = rebuild.foreign.brokenViews.joined(separator: ", ").shown
            text += "; views that no longer fit the tables: \(views)"
        }
        guard let copy = rebuild.copy else { return text }
        text += "; the former file is kept as \(paths(copy))"
        return rebuild.foreign.leftOut.isEmpty
            ? text + ", since it could not be read"
            : text + ", and only that has \(rebuild.foreign.leftOut.map(of).joined(separator: ", "))"
    }

    private func of(_ leftOut: ForeignCopy.LeftOut) -> String {
        switch leftOut {
        case .object(let title, let detail): title.shown + (detail.isEmpty ? "" : " (\(detail.shown))")
        case .rows(let table, let count):
            (count.map { Text.plural($0, "row") } ?? "some rows") + " of table \(table.shown)"
        }
    }
}
