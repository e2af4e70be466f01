import Events
import Foundation
import Records
import Support
import Testing

@testable import LogFiles
@testable import Pipelines

@Suite struct RecordTallyTests {
    /// Millions of rejected lines must not cost the time of writing details that nobody sees.
    @Test func onlyKeptRejectsGetADetail() throws {
        let folder = try ScratchFolder()
        var tally = RecordTally(
            collector: EventCollector(worker: 0, sections: 3, memory: 1 << 20, spillFolder: folder.root),
            sampleKeys: [
                SampleKeys(
                    RecordRules(
                        format: .mzip, layout: .body, actions: [:], zone: .utc,
                        window: LogWindow(start: 0, end: 0, days: 0)))
            ])
        let file = InputFile(source: 0, found: FoundFile(path: "a.log", location: "/a.log", bytes: 1))
        var made = 0
        func reject(_ reason: RejectReason, _ line: Int) {
            let detail = {
                made += 1
                return "detail \(made)"
            }
            tally.reject(reason, line: line, detail: detail, evidence: [0x78].span)
        }
        for _ in 1...2 {
            tally.beginFile(file, sourceName: "adobe", firstSection: 0)
            made = 0
            for line in 1...1002 { reject(.malformedLine, line) }
            #expect(made == 1000)
            reject(.badTime, 1003)
            #expect(made == 1001)
            #expect(tally.rejects.map(\.detail) == (1...1001).map { "detail \($0)" })
            #expect(tally.tally.rejected == 1003)
            #expect(tally.tally.counts.map(\.reason) == ["malformed_line", "bad_time"])
            #expect(tally.tally.counts.map(\.first?.detail) == ["detail 1", "detail 1001"])
        }
    }
}
