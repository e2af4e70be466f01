import Foundation
import Output
import SQLite
import Support
import Testing

@testable import Partitions
@testable import Reports

@Suite struct ExportedBytesTests {
    @Test(arguments: [
        ("NULL", ""), ("''", "\"\""), ("1", "1"), ("-5", "-5"), ("0.1", "0.1"), ("1.0", "1.0"), ("1e300", "1e+300"),
        ("'a'", "a"), ("' a '", " a "), ("'a,b'", "\"a,b\""), ("'a\"b'", "\"a\"\"b\""), ("char(13)", "\"\r\""),
        ("char(10)", "\"\n\""), ("'é'", "é"), ("x'41'", "A"), ("'a' || char(0) || 'b'", "a\0b"),
    ])
    func aValueIsWrittenAsRFC4180HasIt(_ sql: String, _ text: String) throws {
        let columns = Array(repeating: Table.Column.fact("a", type: .text, help: ""), count: 3)
        let lines = try Database(":memory:").rows("SELECT 1, \(sql), 2") { row in
            var line = CSVLine()
            try line.set(to: row, columns: columns)
            return String(decoding: line.bytes, as: UTF8.self)
        }
        #expect(lines == ["1,\(text),2\r\n"])
    }

    /// Names are always texts, others if Excel might take them for something else. `~` stands for a quote.
    @Test(arguments: [
        ("delivery_id", "1e5", "~=~~1e5~~~"), ("delivery_id", "abc", "~=~~abc~~~"), ("label", "=1+1", "~=~~=1+1~~~"),
        ("label", "May 2026", "~=~~May 2026~~~"), ("label", "a ~b~, c", "~=~~a ~~~~b~~~~, c~~~"),
        ("variant", "\n", "~=~~\n~~~"), ("month", "2026-11", "~=~~2026-11~~~"), ("reason", "bad_json", "bad_json"),
        ("reason", "@x", "~=~~@x~~~"), ("reason", "-x", "~=~~-x~~~"), ("reason", "\t=x", "~=~~\t=x~~~"),
        ("reason", "é", "~=~~é~~~"), ("reason", "", "~~"), ("label", "", "~~"),
    ])
    func aTextIsWrittenSoThatExcelLeavesItAlone(_ column: String, _ text: String, _ written: String) throws {
        let line = try excelLine(column, text.replacing("~", with: "\""))
        #expect(line == written.replacing("~", with: "\"") + "\r\n")
    }

    /// Excel takes up to 255 characters between two quotes.
    @Test(arguments: ["a", "\"", "é", "👍🏽"])
    func aLongTextIsManyForExcel(_ character: String) throws {
        let text = String(repeating: character, count: 1000)
        // A byte each, so that no two of them are one character.
        func bytes(_ text: String) -> String { String(String.UnicodeScalarView(text.utf8.map { Unicode.Scalar($0) })) }
        let line = bytes(try excelLine("label", text))
        let formula = line.dropFirst().dropLast(2).replacing("\"\"", with: "~")
        #expect(line.hasPrefix("\"") && line.hasSuffix("\"\r\n") && formula.hasPrefix("=~") && formula.hasSuffix("~"))
        let parts = formula.dropFirst(2).dropLast().split(separator: "~&~").map { $0.replacing("~~", with: "\"") }
        #expect(parts.count > 3 && parts.allSatisfy { $0.count <= 255 })
        #expect(parts.joined() == bytes(text))
    }

    private func excelLine(_ column: String, _ text: String) throws -> String {
        let lines = try Database(":memory:").rows("SELECT '\(text)'") { row in
            var line = CSVLine(as: .excel(.comma))
            try line.set(to: row, columns: [.dimension(column, type: .text, help: "")])
            return String(decoding: line.bytes, as: UTF8.self)
        }
        return lines.joined()
    }

    /// Files around the size of a block.
    @Test(arguments: [0, 65_536, 200_000])
    func aFileIsWrittenOnlyIfItsBytesDiffer(_ count: Int) throws {
        let scratch = try ScratchFolder()
        let path = scratch.path("a.csv")
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
        func write(_ bytes: [UInt8]) throws -> Bool {
            let file = try RewrittenFile(path)
            for start in stride(from: 0, to: bytes.count, by: 1000) {
                try file.append(Array(bytes[start..<min(start + 1000, bytes.count)]))
            }
            return try file.finish()
        }
        #expect(try write(bytes))
        #expect(try !write(bytes))
        var other = bytes + [1]
        #expect(try write(other))
        #expect(try scratch.bytes("a.csv") == other)
        for place in [0, count / 2, count] {
            other[place] ^= 0xFF
            #expect(try write(other))
            #expect(try scratch.bytes("a.csv") == other)
        }
        #expect(try write(bytes))
        // One that is not finished leaves the former one, and nothing beside it.
        do {
            let file = try RewrittenFile(path)
            try file.append([UInt8](repeating: 0, count: 100_000))
            #expect(try scratch.names("").count == 2)
        }
        #expect(try scratch.bytes("a.csv") == bytes)
        #expect(try scratch.names("") == ["a.csv"])
    }

    private func written(_ export: ToolExport, to place: String, _ scene: Scene) throws -> [String] {
        try export.write(scene.output(), to: place).map { String($0.path.dropFirst(place.count + 1)) }
    }

    /// Whatever the paths are, they are part of no other text, and no placeholder is left.
    @Test(arguments: ["x", "\"quoted\" \\ {{folder}}", "ä b%20?#:\n- c"])
    func onlyPathsAreFilledIntoTheFilesForATool(_ name: String) throws {
        let scene = Scene.usual()
        let scratch = try ScratchFolder()
        let place = scratch.path(name)
        #expect(try written(.datasette, to: place, scene) == ["metadata.json"])
        #expect(
            try written(.grafana, to: place, scene)
                == ["dashboards/push.json", "provisioning/datasources/push.yaml", "provisioning/dashboards/push.yaml"])
        for file in ["metadata.json", "dashboards/push.json"] {
            let text = try scratch.text("\(name)/\(file)")
            #expect(try JSONSerialization.jsonObject(with: Data(text.utf8)) is [String: Any])
            #expect(!text.contains("{{"))
        }
        let source = try scratch.text("\(name)/provisioning/datasources/push.yaml")
        #expect(try source.contains("      path: \"\(scene.output().path)\"\n"))
        let provider = try scratch.text("\(name)/provisioning/dashboards/push.yaml")
        let line = try #require(provider.split(separator: "\n").last)
        let folder = try JSONDecoder().decode(String.self, from: Data(line.drop { $0 != "\"" }.utf8))
        #expect(folder == "\(place)/dashboards")
    }
}
