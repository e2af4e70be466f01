import Foundation
import Support
import Testing

/// What `Sources/packaging` installs, as far as it can be tried without installing it.
@Suite(.needsPushetl)
struct PackagingTests {
    private let place: Workplace

    init() throws {
        place = try Workplace()
    }

    private static func text(_ name: String) throws -> String {
        try String(
            contentsOf: Workplace.packageFolder.appendingPathComponent("Sources/packaging/\(name)"), encoding: .utf8)
    }

    /// The values of a key of the service.
    private static func service(_ key: String) throws -> [String] {
        try text("pushetl.service").split(separator: "\n").filter { $0.hasPrefix("\(key)=") }
            .map { String($0.dropFirst(key.count + 1)) }
    }

    /// Writes the pipeline to begin with, with its logs in `logs`.
    private func writePipeline(_ edit: (String) -> String = { $0 }) throws {
        let text = try Self.text("push.yaml").replacing("/var/lib/pushetl ", with: "out ")
            .replacing("/var/log/nginx/", with: "logs/").replacing("/var/log/push/users_track/", with: "logs/")
        try place.scratch.write(edit(text), to: "push.yaml")
        try place.scratch.write("", to: "logs/empty")
    }

    @Test func thePipelineToBeginWithIsValid() throws {
        try writePipeline()
        let outcome = try place.run("validate")
        #expect(outcome.stdout == "push.yaml: valid, 1 source\n")
        #expect(outcome.stderr == "")
    }

    @Test func soItIsWithAllItsSources() throws {
        try writePipeline { $0.replacing("\n  #   ", with: "\n    ").replacing("\n  # - ", with: "\n  - ") }
        let outcome = try place.run("validate")
        #expect(outcome.stdout == "push.yaml: valid, 3 sources\n")
        #expect(outcome.stderr == "")
    }

    @Test func theServiceWritesItsStateDirectory() throws {
        #expect(try Self.text("push.yaml").contains("\noutput: /var/lib/\(Self.service("StateDirectory")[0]) "))
        #expect(try Self.service("Environment") == ["PUSHETL_PIPELINE=/etc/pushetl/push.yaml"])
    }

    @Test func theCommandOfTheServiceLoadsYesterdayAndTheDatesBefore() throws {
        try writePipeline()
        let words = try Self.service("ExecStart")[0].split(separator: " ").map(String.init)
        #expect(words[0] == "@bindir@/pushetl")
        #expect(try place.run(Array(words.dropFirst())).exit == 66)
        for daysAgo in 1...2 {
            let day = Date(timeIntervalSinceNow: Double(-daysAgo) * 86_400)
            let name = day.formatted(.iso8601.year().month().day().dateSeparator(.omitted))
            try place.scratch.write(Workplace.hit("h\(daysAgo),d,1") + "\n", to: "logs/access.log-\(name)")
        }
        let outcome = try place.run(Array(words.dropFirst()))
        #expect(outcome.exit == 0, "\(outcome)")
        #expect(outcome.stdout == "")
        #expect(try place.rows("SELECT count(*) FROM loads") == ["2"])
    }

    @Test func theRotationIsTheOneOfTheDocumentation() throws {
        let operations = try String(
            contentsOf: Workplace.packageFolder.appendingPathComponent("Sources/pushetl/pushetl.docc/Operations.md"),
            encoding: .utf8)
        let rotation = try Self.text("examples/logrotate").split(separator: "\n").filter { !$0.hasPrefix("#") }
        #expect(operations.contains(rotation.joined(separator: "\n")))
    }
}
