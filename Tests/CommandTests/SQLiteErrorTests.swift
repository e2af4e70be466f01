import SQLite
import Testing
import Warehouse

@testable import pushetl

struct SQLiteErrorTests {
    @Test(arguments: [
        (StatementPurpose.reading(table: "days"), " while the table days was being read"),
        (.writing(table: "runs\u{1B}"), " while the table runs\\u{1b} was being written"),
        (.changingSchema, " while tables were being made"), (.beginning, " at the start of a transaction"),
        (.committing, " at the commit"), (.pragma("quick_check"), " at PRAGMA quick_check"), (nil, ""),
    ])
    func theSentenceSaysWhatTheStatementWasFor(_ purpose: StatementPurpose?, _ clause: String) {
        let error = WarehouseError.sqlite(path: "/out/push.db", code: 1, message: "unlikely", purpose: purpose)
        #expect(
            Sentence(ShownPaths("/out")).of(error).hasSuffix(
                "push.db: SQLite: unlikely\(clause) (code 1); nothing is lost; fix that and run again"))
    }
}
