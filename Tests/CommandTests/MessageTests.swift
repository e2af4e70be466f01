import Foundation
import Support
import Testing

@Suite
struct MessageTests {
    /// A code is public. None may go or change because something inside has another name.
    @Test func theCodesOfMessagesAreThoseOfTheDocumentation() throws {
        let sources = Workplace.packageFolder.appendingPathComponent("Sources")
        // Those of `status --check` are the kinds of needs.
        var codes: Set = ["damaged", "held_back", "stale", "shrunk", "partial", "missing", "not_loaded", "unpublished"]
        let files = FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil)
        while let file = files?.nextObject() as? URL {
            guard file.pathExtension == "swift" else { continue }
            let text = try String(contentsOf: file, encoding: .utf8)
            let calls = text.matches(
                of: /(?:[Mm]essage|[ .]at|told|[Ee]rror|[Ff]ault|warn)\(\s*(?:[\w.]+,\s*(?:line: [^"]+,\s*)?)?"(\w+)",/)
            codes.formUnion(calls.map { String($0.1) })
        }
        let article = try String(
            contentsOf: sources.appendingPathComponent("pushetl/pushetl.docc/Output.md"), encoding: .utf8)
        let list = try #require(article.firstMatch(of: /### Codes\n\n[^`]*`code`[^`]*```text\n([^`]*)```/)).1
        #expect(codes == Set(list.split { $0 == " " || $0 == "\n" }.map(String.init)))
        #expect(codes.count > 140)
    }
}
