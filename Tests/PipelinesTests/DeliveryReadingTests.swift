import Configuration
import Foundation
import LogFiles
import Messages
import Output
import SQLite
import Support
import Testing

@testable import Partitions
@testable import Pipelines

/// A folder with a pipeline, a delivery file and an output.
private final class DeliveryFolder {
    let folder: ScratchFolder
    let output: OutputFolder

    init(_ text: String = "delivery_id,label\nd1,a\nd2,b\n") throws {
        folder = try ScratchFolder()
        output = OutputFolder(folder.path("out"))
        try output.create()
        try folder.write(text, to: "a.csv")
    }

    /// Reads the files as a command does that writes.
    func read(_ deliveries: String = "files: a.csv") throws -> DeliveryReading {
        let text = """
            version: 1
            output: out
            deliveries: {\(deliveries)}
            sources:
              - {name: adobe, format: collector, files: '%Y-%m-%d.log'}
            """
        try folder.write(text, to: "push.yaml")
        let pipeline = try PipelineFile.read(folder.path("push.yaml"))
        let reading = try DeliveryReading(pipeline, output: output)
        var settings = PublicationSettings(pipeline)
        settings.deliveries = reading.accepted
        _ = try OutputDatabase(output).publish(settings, in: HeldOutput(folder: output))
        return reading
    }

    /// What push.db shows.
    func labels() throws -> [String?] {
        let database = OutputDatabase(output)
        return try database.read {
            try $0.column("SELECT label FROM deliveries")
        } ?? []
    }
}

@Suite struct DeliveryReadingTests {
    @Test func aListIsChangedOnlyIfItSaysSomethingElse() throws {
        let place = try DeliveryFolder()
        #expect(try place.read().isChanged)
        #expect(try !place.read().isChanged)
        #expect(try !place.read("files: a.csv, columns: {campaign: other}").isChanged)

        try place.folder.write("delivery_id,label\nd1,a\nd2,c\n", to: "a.csv")
        #expect(try place.read().isChanged)
        #expect(try !place.read().isChanged)
        #expect(try place.labels() == ["a", "c"])
    }

    @Test func aFileMoreOrLessIsNoticed() throws {
        let place = try DeliveryFolder()
        _ = try place.read("files: '*.csv'")
        try place.folder.write("delivery_id,label\nd3,c\n", to: "b.csv")
        #expect(try place.read("files: '*.csv'").isChanged)
        #expect(try !place.read("files: '*.csv'").isChanged)
        try place.folder.remove("a.csv")
        #expect(try place.read("files: '*.csv'").isChanged)
        #expect(try place.labels() == ["c"])
    }

    @Test func withoutTheLedgerTheFilesFillIt() throws {
        let place = try DeliveryFolder()
        _ = try place.read()
        try place.folder.remove("out/partitions/ledger.sqlite")
        #expect(try place.read().isChanged)
        #expect(try place.labels() == ["a", "b"])
    }

    /// Version 1.1.0 kept the list in a file.
    @Test func aFormerListIsTakenOverWhereTheFilesCannotBeUsed() throws {
        let place = try DeliveryFolder("label\na\n")
        try place.folder.write("delivery_id,label\nd9,nine\n", to: "out/deliveries.csv")
        try Database(place.folder.path("out/push.db")).execute(
            "PRAGMA application_id = 1886733378; PRAGMA user_version = 5")
        #expect(try place.read().faults.count == 1)
        #expect(try place.labels() == ["nine"])
        #expect(!FileManager.default.fileExists(atPath: place.folder.path("out/deliveries.csv")))
    }
}
