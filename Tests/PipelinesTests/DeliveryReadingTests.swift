import Configuration
import Foundation
import Messages
import Output
import SQLite
import Support
import Testing

@testable import Partitions
@testable import Pipelines

@Suite struct DeliveryReadingTests {
    /// Version 1.1.0 kept the list in a file.
    @Test func aFormerListIsTakenOverWhereTheFilesCannotBeUsed() throws {
        let folder = try ScratchFolder()
        let output = OutputFolder(folder.path("out"))
        try output.create()
        try folder.write("label\na\n", to: "a.csv")
        try folder.write("delivery_id,label\nd9,nine\n", to: "out/deliveries.csv")
        try Database(folder.path("out/push.db")).execute("PRAGMA application_id = 1886733378; PRAGMA user_version = 5")
        let text = """
            version: 1
            output: out
            deliveries: {files: a.csv}
            sources:
              - {name: adobe, format: collector, files: '%Y-%m-%d.log'}
            """
        try folder.write(text, to: "push.yaml")
        let pipeline = try PipelineFile.read(folder.path("push.yaml"))
        let reading = try DeliveryReading(pipeline, output: output)
        #expect(reading.faults.count == 1)
        var settings = PublicationSettings(pipeline)
        settings.deliveries = reading.accepted
        let database = OutputDatabase(output)
        _ = try database.publish(settings, in: HeldOutput(folder: output))
        let labels: [String?]? = try database.read { try $0.column("SELECT label FROM deliveries") }
        #expect(labels == ["nine"])
        #expect(!folder.exists("out/deliveries.csv"))
    }
}
