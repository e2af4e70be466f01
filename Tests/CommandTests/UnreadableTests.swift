import Foundation
import Support
import Testing

/// Files and folders that may not be read or written to.
@Suite(.needsPushetl, .enabled(if: geteuid() != 0, "root may read and write every file"))
struct UnreadableTests {
    private let place: Workplace

    init() throws {
        place = try Workplace.withHits([Workplace.hit("h1,d,7")])
        #expect(try place.run("run", "--date", "2026-11-19").exit == 0)
    }

    @Test func anUnreadableFileIsAFailedLoad() throws {
        try place.scratch.write("x", to: "logs/2026-11-20.log")
        chmod(place.scratch.path("logs/2026-11-20.log"), 0)
        #expect(try place.run("run", "--date", "2026-11-20").exit == 74)
        #expect(try place.rows("SELECT verdict FROM loads ORDER BY 1") == ["failed", "loaded"])
    }

    @Test(arguments: ["csv", "datasette", "dbt", "grafana", "superset"])
    func anExportToAFolderThatMayNotBeWrittenToEndsWith74(_ format: String) throws {
        try place.scratch.makeFolder("x")
        chmod(place.scratch.path("x"), 0o555)
        let outcome = try place.run("export", format, "--out", "x")
        #expect(outcome.exit == 74)
        let advice = "the files that are there are complete; fix that and run again"
        #expect(outcome.stderr.contains("permission denied; \(advice)\n"))
    }
}
