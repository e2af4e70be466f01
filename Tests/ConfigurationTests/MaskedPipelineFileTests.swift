import Foundation
import Support
import Testing

@testable import Configuration

/// What strangers may read of a pipeline file.
struct MaskedPipelineFileTests {
    @Test(arguments: [
        (
            #"$remote_addr - $remote_user [$time_local] "$request" $status"#,
            #"$*** - $*** [$time_local] "$request" $status"#
        ),
        (#"${time_local}|$http_x_acme|acme=7 "$http_user_agent""#, #"${time_local}|$***|*** "$http_user_agent""#),
        (#"%h %t "%r" %>s acme-1 "%{X-Acme}i" "%{User-Agent}i""#, #"%h %t "%r" %>s *** "%{***}i" "%{User-Agent}i""#),
        (#"%{%d/%b/%Y:%T}t.%{msec_frac}t %{acme %Y}t 100% %acme"#, #"%{%d/%b/%Y:%T}t.%{msec_frac}t %{***}t ***% %***"#),
        ("acme é 漢字", "*** *** ***"),
    ])
    func formatsKeepWhatEachServerHas(_ format: String, _ masked: String) {
        #expect(MaskedFormat(format).text == masked)
    }

    /// A key that is added to pipeline files is added to the words that stay.
    @Test func allKeysAndWordsOfPipelineFilesStay() throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let schema = try JSONSerialization.jsonObject(
            with: Data(contentsOf: root.appendingPathComponent("Pipelines/pushetl.schema.json")))
        let words = Self.words(of: schema)
        #expect(words.count > 60)
        #expect(words.subtracting(MaskedPipelineFile.words) == [])
    }

    /// The keys of objects, and the words that a value may be.
    private static func words(of schema: Any) -> Set<String> {
        if let list = schema as? [Any] { return list.reduce(into: []) { $0.formUnion(words(of: $1)) } }
        guard let object = schema as? [String: Any] else { return [] }
        var found = Set((object["properties"] as? [String: Any] ?? [:]).keys)
        found.formUnion(object["enum"] as? [String] ?? [])
        for (key, value) in object where key != "enum" && key != "default" { found.formUnion(words(of: value)) }
        return found
    }

    @Test func aFileWithoutEndHasFewLines() throws {
        let folder = try ScratchFolder()
        let bomb = (1...14).map { "a\($0): &a\($0) [*a\($0 - 1), *a\($0 - 1)]\n" }.joined()
        try folder.write("a0: &a0 [x, x]\n" + bomb, to: "push.yaml")
        let masked = MaskedPipelineFile(at: folder.path("push.yaml"))
        #expect(masked.lines.count == 401 && masked.lines.last == "…")
        #expect(masked.pipeline == nil && masked.errors.map(\.code).contains(.unknownKey))
    }
}
