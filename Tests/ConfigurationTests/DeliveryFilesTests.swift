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
}
