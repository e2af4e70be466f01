import Calendar
import Configuration
import Foundation
import LogFiles
import Messages
import Partitions
import Reference
import Support
import Testing

@testable import Pipelines

@Suite struct DeliveryFileTests {
    private let folder: ScratchFolder

    init() throws {
        folder = try ScratchFolder()
    }

    private func files(
        _ idForm: DeliveryFiles.IDForm = .text, zone: String = "UTC", names: [DeliveryFiles.Column: String] = [:]
    ) throws -> DeliveryFiles {
        var columns = Dictionary(uniqueKeysWithValues: DeliveryFiles.Column.allCases.map { ($0, $0.rawValue) })
        columns.merge(names) { $1 }
        return DeliveryFiles(
            files: FilePatterns([try FilePattern("x.csv")]), idForm: idForm,
            zone: try ZoneDatabase.zone(zone), columns: columns)
    }

    private func read(_ bytes: [UInt8], _ files: DeliveryFiles) throws -> (list: DeliveryList, [String]) {
        try folder.write(bytes, to: "x.csv")
        var list = DeliveryList()
        let warnings = try DeliveryFile(path: "x.csv", location: folder.path("x.csv"), files: files).read(into: &list)
        return (list, warnings.map(\.words))
    }

    private func csv(_ text: String, _ files: DeliveryFiles) throws -> String {
        let list = try read(Array(text.utf8), files).list
        let again = try read(list.bytes, self.files()).list
        #expect(again.bytes == list.bytes)
        #expect(again.version == list.version)
        return String(decoding: list.bytes, as: UTF8.self)
    }

    private let header = "delivery_id,platform,label,campaign,variant,sent_at,sent,delivered\n"

    @Test func theLastValueOfEachColumnStands() throws {
        let text = """
            \u{FEFF} delivery_id ;label;other;platform;sent;delivered;sent_at;campaign;variant
             D57FD6 ;"Black ""Friday""\";x;;10;;2026-11-19T07:00:00.999+01:00;c;
            d57fd6;;x;iOS;7;5;;;v
            d57fd6;Black;x;IOS;;6

            e;;;unknown
            d57fd6;;x;;;9;2026-11-20;;
            """
        #expect(
            try csv(text, files(zone: "Europe/Madrid")) == header + """
                d57fd6,,Black,c,v,2026-11-19 23:00:00Z,10,9
                d57fd6,ios,Black,c,v,2026-11-19 23:00:00Z,7,6
                e,unknown,,,,,,

                """)
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
            ("19/11/2026,6,5", "sent_at"), ("1700000000,6,5", "sent_at"), ("2026-11-19T10:00,6,5", "sent_at"),
            ("2026-11-20,-1,5", "sent"), ("2026-11-20,1.5,5", "sent"), ("2026-11-20,1 000,5", "sent"),
            ("2026-11-20, ,5", "sent"), ("2026-11-20,9223372036854775808,5", "sent"),
            ("2026-11-20,6,\"1,000\"", "delivered"),
        ] as [(String, String)])
    func aValueThatCannotBeReadCountsAsEmpty(values: String, column: String) throws {
        let text =
            "delivery_id,platform,label,sent_at,sent,delivered\nd,,a,2026-11-18,4,3\nd,,b,\(values)\n"
        let (list, warnings) = try read(Array(text.utf8), files())
        #expect(warnings == ["x.csv:3: the value of '\(column)' cannot be read and counts as empty"])
        // The row before says what stands.
        #expect(list.map(\.label) == ["b"])
        #expect(list.map(\.sentAt) == [(column == "sent_at" ? 20_775 : 20_777) * 86_400_000])
        #expect(list.map { $0.counts.first?.sent } == [column == "sent" ? 4 : 6])
        #expect(list.map { $0.counts.first?.delivered } == [column == "delivered" ? 3 : 5])
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

extension DeliveryList {
    /// As a delivery file with the default columns, which reads as the same list.
    fileprivate var bytes: [UInt8] {
        var csv = DeliveryFiles.Column.allCases.map(\.rawValue).joined(separator: ",") + "\n"
        for delivery in self {
            let sentAt = delivery.sentAt.map { CalendarText.dateTime(ofMilliseconds: $0) + "Z" }
            for counts in delivery.counts {
                let fields = [
                    delivery.id, counts.platform?.name, delivery.label, delivery.campaign, delivery.variant, sentAt,
                    counts.sent.map(String.init), counts.delivered.map(String.init),
                ]
                csv += fields.map { DeliveryList.field($0 ?? "") }.joined(separator: ",") + "\n"
            }
        }
        return Array(csv.utf8)
    }

    private static func field(_ text: String) -> String {
        text.unicodeScalars.contains { ",\"\n\r".unicodeScalars.contains($0) }
            ? "\"\(text.replacing("\"", with: "\"\""))\"" : text
    }
}
