import Output
import Partitions

extension Sentence {
    /// How push.db differed from what the last command had left, and what was done about it.
    func of(_ repair: OutputRepair, at path: String) -> String {
        var text: String
        if let damage = repair.damage {
            text = "\(paths(path)): is damaged (\(damage.shown)), so a new one was made"
        } else if let schema = repair.earlierSchema {
            text = "\(paths(path)): was written by an earlier pushetl (schema \(schema)); it was brought up"
        } else {
            text = "\(paths(path)): was changed by something else, and set back: \(changes(repair))"
        }
        if repair.earlierSchema != nil, !repair.triggers.isEmpty { text += "; \(changes(repair)) was removed" }
        return text + (repair.copy.map { "; the former file is kept as \(paths($0))" } ?? "")
    }

    private func changes(_ repair: OutputRepair) -> String {
        var parts: [String] = []
        if !repair.tables.isEmpty {
            let names = repair.tables.map(\.shown).joined(separator: ", ")
            parts.append("\(repair.tables.count == 1 ? "table" : "tables") \(names)")
        }
        parts += repair.settings.map { "the value of \($0)" }
        parts += repair.triggers.map { "trigger \($0.name.shown) on one of its tables (\($0.sql.shown))" }
        return parts.joined(separator: "; ")
    }

    /// Why the history may have lost rows.
    func of(_ loss: LedgerLoss, in folder: OutputFolder) -> String {
        let why =
            switch loss {
            case .missing: "is missing"
            case .damaged(let detail): "could not be used (\(detail.shown))"
            }
        return
            "\(paths(folder.partitionsPath))/ledger.sqlite: \(why); it was made anew from the partitions, and its history from "
            + "push.db, so rows of 'runs' and 'loads' that push.db did not have yet are lost"
    }

    /// A fault that the next command will not look for.
    func notNoted(in folder: OutputFolder) -> String {
        "\(paths(folder.cachePath)): the fault could not be noted here, so the next 'run' or 'backfill' may not see it; give "
            + "'doctor' the rights to write there, or remove that folder"
    }
}
