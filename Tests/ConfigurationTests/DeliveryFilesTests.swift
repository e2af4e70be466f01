import Foundation
import Support
import Testing

@testable import Configuration
@testable import pushetl

@Suite struct DeliveryFilesTests {
    private static let source = "version: 1\noutput: out\nsources: [{name: a, format: collector, files: 'x%Y%m%d'}]\n"

    private func read(_ text: String) throws -> Pipeline {
        let folder = try ScratchFolder()
        try folder.write(DeliveryFilesTests.source + text, to: "push.yaml")
        return try PipelineFile.read(folder.path("push.yaml"))
    }

    @Test func deliveriesMayBeAMapping() throws {
        let pipeline = try read("timezone: Europe/Madrid\ndeliveries:\n  files: [b/*.csv, 'a%%.csv']\n")
        try #require(pipeline.deliveries.count == 1)
        let files = pipeline.deliveries[0]
        #expect(files.files.text == "b/*.csv, a%%.csv")
        #expect(files.idForm == .text)
        #expect(files.zone.name == "Europe/Madrid")
        #expect(files.columns.allSatisfy { $0.key.rawValue == $0.value })
        #expect(files.columns.count == 8)
    }

    @Test func deliveriesMayBeAListOfMappings() throws {
        let pipeline = try read(
            """
            deliveries:
              - {files: a.csv, id: decimal, timezone: Asia/Tokyo, columns: {delivery_id: Primary key, sent: 'Sent '}}
              - files: b.csv
            """)
        try #require(pipeline.deliveries.count == 2)
        #expect(pipeline.deliveries[0].idForm == .decimal)
        #expect(pipeline.deliveries[0].zone.name == "Asia/Tokyo")
        #expect(pipeline.deliveries[0].columns[.deliveryID] == "Primary key")
        #expect(pipeline.deliveries[0].columns[.sent] == "Sent ")
        #expect(pipeline.deliveries[0].columns[.label] == "label")
        #expect(pipeline.deliveries[1].zone.name == "UTC")
    }

    @Test func deliveriesDoNotChangeTheFingerprint() throws {
        let (without, with) = (try read(""), try read("deliveries: {files: a.csv, id: decimal}"))
        #expect(without.deliveries.isEmpty)
        #expect(without.fingerprint == with.fingerprint)
    }

    @Test(
        arguments: [
            ("deliveries: a.csv", "4:13: 'deliveries' must be a mapping, not the text 'a.csv'"),
            ("deliveries:", "4:12: 'deliveries' must be a mapping, not empty"),
            ("deliveries: []", "4:13: 'deliveries' must not be empty"),
            ("deliveries: [{files: a.csv}, 7]", "4:30: 'deliveries' must be a mapping, not the number '7'"),
            ("deliveries: {}", "4:13: missing key 'files' in 'deliveries'"),
            ("deliveries: {file: a.csv, files: b.csv}", "4:14: unknown key 'file', did you mean 'files'?"),
            ("deliveries: {files: 7}", "4:21: 'files' must be text, not the number '7'; put it in quotes"),
            ("deliveries: {files: []}", "4:21: 'files' must not be empty"),
            (
                "deliveries: {files: 's3a://crm/d.csv'}",
                "4:21: 'files' of 'deliveries' (s3a://crm/d.csv) is at a URI, which cannot be read; give a path that the driver "
                    + "sees"
            ),
            (
                "deliveries: {files: 'd-%Y.csv'}",
                "4:21: 'files' of 'deliveries' (d-%Y.csv) has a date in it, but delivery files belong to no log date; "
                    + "write '*' in its place, and '%%' for a percent sign"
            ),
            (
                "deliveries: {files: 'd-%H.csv'}",
                "4:21: unknown placeholder '%H' in 'files', expected '%Y', '%y', '%m', '%d', '%j' or '%%'"
            ),
            ("deliveries: {files: d.csv, id: hex}", "4:32: unknown value of 'id' 'hex', expected 'text' or 'decimal'"),
            (
                "deliveries: {files: d.csv, timezone: CEST}",
                "4:38: unknown time zone 'CEST', did you mean 'CET'?"
            ),
            (
                "deliveries: {files: d.csv, columns: [id]}",
                "4:37: 'columns' must be a mapping, not a list"
            ),
            (
                "deliveries: {files: d.csv, columns: {send: x}}",
                "4:38: unknown key 'send', did you mean 'sent'?"
            ),
            ("deliveries: {files: d.csv, columns: {sent: ' '}}", "4:44: 'sent' must not be empty"),
        ] as [(String, String)])
    func aFaultHasItsPlace(text: String, sentence: String) throws {
        let error = try #require(throws: PipelineFileError.self) { try read(text) }
        #expect(error.problems.map { String($0.text.drop { $0 != ":" }.dropFirst()) } == [sentence])
    }

    @Test func aMissingFolderIsAWarning() throws {
        let pipeline = try read("deliveries: {files: gone/*.csv}")
        #expect(
            pipeline.warnings.map(\.fault.message.message) == ["there is no folder 'gone'; check 'files'"])
    }
}
