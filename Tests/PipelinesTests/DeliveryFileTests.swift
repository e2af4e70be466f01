import Configuration
import Foundation
import LogFiles
import Messages
import Partitions
import Reference
import Support
import Testing

@testable import Pipelines

/// What is said of rows and files. What comes of their values, the reference checks.
@Suite struct DeliveryFileTests {
    private let folder: ScratchFolder

    init() throws {
        folder = try ScratchFolder()
    }

    private func files(
        _ idForm: DeliveryFiles.IDForm = .text, names: [DeliveryFiles.Column: String] = [:]
    ) throws -> DeliveryFiles {
        var columns = Dictionary(uniqueKeysWithValues: DeliveryFiles.Column.allCases.map { ($0, $0.rawValue) })
        columns.merge(names) { $1 }
        return DeliveryFiles(
            files: FilePatterns([try FilePattern("x.csv")]), idForm: idForm, zone: .utc, columns: columns)
    }

    private func read(_ bytes: [UInt8], _ files: DeliveryFiles) throws -> (list: DeliveryList, [String]) {
        try folder.write(bytes, to: "x.csv")
        var list = DeliveryList()
        let warnings = try DeliveryFile(path: "x.csv", location: folder.path("x.csv"), files: files).read(into: &list)
        return (list, warnings.map(\.words))
    }

    @Test(
        arguments: [
            ("1", "1"), ("18446744073709551615", "ffffffffffffffff"), ("-1", "ffffffff"), ("-2147483648", "80000000"),
            (" 0090071 ", "15fd7"), ("0", nil), ("-0", nil), ("-2147483649", nil), ("18446744073709551616", nil),
            ("+1", nil), ("1.0", nil), ("1a", nil), ("-", nil), ("", nil), ("1,000", nil),
        ] as [(String, String?)])
    func decimalIdsBecomeHexadecimal(text: String, id: String?) throws {
        let (list, warnings) = try read(Array("delivery_id;label\n\(text);x\n".utf8), files(.decimal))
        #expect(list.map(\.id) == (id.map { [$0] } ?? []))
        #expect(warnings == (id == nil ? ["x.csv:2: the row was left out: its 'delivery_id' cannot be read"] : []))
    }

    @Test(
        arguments: [
            (" ,,,,,,,", "Id"), (String(repeating: "x", count: 129) + ",", "Id"), ("a\u{1}b", "Id"),
            ("d,tv,,,,,x", "platform"), ("d, ios", "platform"),
        ] as [(String, String)])
    func aRowWithoutAReadableIdOrPlatformIsLeftOut(row: String, column: String) throws {
        let text = "Id,platform,label,campaign,variant,sent_at,sent,delivered\n\n\(row)\nd,,,,,,9223372036854775807,0\n"
        let (list, warnings) = try read(Array(text.utf8), files(names: [.deliveryID: " Id"]))
        let name = column == "Id" ? " Id" : column
        #expect(warnings == ["x.csv:3: the row was left out: its '\(name)' cannot be read"])
        #expect(list.map { $0.counts.first?.sent } == [.max])
    }

    @Test(
        arguments: [
            (
                Array("Delivery_id,x\n1,2\n".utf8),
                ":1: the header has no column 'delivery_id', did you mean 'Delivery_id'?; "
                    + "name the column of the delivery ids in 'columns', as 'delivery_id'"
            ),
            (Array("delivery_id\na\n".utf8) + [0xE9, 0x0A], ":3: the file is not UTF-8 text; export it as UTF-8"),
            (
                [0xFF, 0xFE, 0x64, 0x00],
                ": is UTF-16 text; pushetl reads delivery files in gzip and plain text; "
                    + "convert it to UTF-8: 'iconv -f UTF-16 -t UTF-8 FILE'"
            ),
            (
                ZstdRecipe().frame(Array("delivery_id\n1\n".utf8)),
                ": is zstd-compressed; pushetl reads delivery files in gzip and plain text; "
                    + "convert it to gzip: 'zstd -dc FILE | gzip'"
            ),
            ([0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 1], ": the file ends too early; give the whole file"),
            (
                [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 0xFF, 0xFF, 0xFF, 0xFF],
                ": the file is damaged; give a good copy"
            ),
        ] as [([UInt8], String)])
    func aFileThatCannotBeUsedSaysWhy(bytes: [UInt8], text: String) throws {
        let fault = try #require(throws: DeliveryFault.self) { try read(bytes, files()) }
        #expect(fault.message.words == "x.csv" + text)
    }

    @Test func aFileThatCannotBeReadSaysWhy() throws {
        var list = DeliveryList()
        let fault = try #require(throws: DeliveryFault.self) {
            _ = try DeliveryFile(path: "y.csv", location: folder.path("y.csv"), files: files()).read(into: &list)
        }
        #expect(fault.code == ENOENT)
        #expect(
            fault.message.words
                == "y.csv: cannot be read: no such file or directory; make the file readable and run again")
    }
}
