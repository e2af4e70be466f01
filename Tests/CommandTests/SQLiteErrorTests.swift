import Messages
import Partitions
import SQLite
import Testing

@testable import pushetl

struct SQLiteErrorTests {
    @Test(arguments: [
        ("SELECT a, b FROM days WHERE c", " while the table days was being read"),
        ("WITH x AS (SELECT 1) SELECT * FROM x", " while the table x was being read"),
        ("INSERT OR REPLACE INTO runs VALUES (?)", " while the table runs was being written"),
        ("INSERT INTO runs\u{1B} VALUES (?)", " while the table runs\\u{1b} was being written"),
        ("UPDATE days SET final = 1", " while the table days was being written"),
        ("DELETE FROM days", " while the table days was being written"),
        ("CREATE TABLE a (b)", " while tables were being made"), ("DROP VIEW v", " while tables were being made"),
        ("BEGIN IMMEDIATE", " at the start of a transaction"), ("COMMIT", " at the commit"),
        ("PRAGMA quick_check(1)", " at PRAGMA quick_check"),
        ("", ""), ("SELECT 1", ""), ("ATTACH 'x' AS y", ""), ("no SQL", ""),
    ])
    func theSentenceSaysWhatTheStatementWasFor(_ sql: String, _ clause: String) throws {
        let error = #expect(throws: Fault.self) {
            try reportingFacts(of: "/out/push.db") { throw DatabaseError(19, message: "unlikely", sql: sql) }
        }
        #expect(
            try #require(error).message.shown(ShownPaths("/out")).words.hasSuffix(
                "push.db: SQLite: unlikely\(clause) (code 19); nothing is lost; fix that and run again"))
    }
    private struct Surprise: Error {}

    /// Only what SQLite says, or a value of another form, is damage: what is done about damage would lose a sound file.
    @Test func whatNobodyExpectsIsAFaultOfTheProgram() throws {
        let error = try #require(
            #expect(throws: Fault.self) { try reportingFacts(of: "/out/push.db") { throw Surprise() } })
        #expect(error.exitStatus == .internalFault)
        #expect(error.message.code == .unexpected)
        let known = Fault(.usage, text: "known", exitStatus: .badData)
        #expect(throws: known) { try reportingFacts(of: "/out/push.db") { throw known } }
    }
}
