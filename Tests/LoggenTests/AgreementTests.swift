import Reference
import Support
import Testing

@testable import loggen

/// What loggen says that it wrote, and what the reference reads.
@Suite struct AgreementTests {
    @Test(arguments: Layout.allCases)
    func theReferenceReadsWhatLoggenSaysThatItWrote(layout: Layout) throws {
        let plan = try smallPlan {
            $0.layout = layout
            $0.lastDate = $0.firstDate
            $0.recordsPerDate = 5000
        }
        var pipeline = Pipeline()
        pipeline.timeZone = plan.zone.name
        let (files, truths) = try write(plan)
        for truth in truths {
            let source = source(truth.file.kind, layout)
            let day = Day(number: truth.file.date.dayNumber)
            let reading = Reading(source: source, pipeline: pipeline, logDate: day)
            let records = reading.records(Unpacked(try #require(files[truth.file.path])))
            for meaning in Meaning.allCases {
                let found = records.filter { $0.outcome.reason == meaning.rawValue }
                let lines = found.prefix(5).map(\.line)
                #expect(
                    found.count == truth.counts[meaning, default: 0], "\(truth.file.path): \(meaning), lines \(lines)")
            }
            var hits: [String] = []
            for case .accepted(let hit, _) in records.map(\.outcome) {
                hits.append("\(hit)")
            }
            let expected = truth.hits.map { "\($0)" }
            #expect(hits.sorted() == expected.sorted(), "\(truth.file.path)")
        }
    }

    /// The source as the pipeline file of loggen has it.
    private func source(_ kind: Kind, _ layout: Layout) -> Pipeline.Source {
        let format = Pipeline.Format(rawValue: kind.rawValue) ?? .collector
        var source = Pipeline.Source(name: kind.source, format: format, files: "")
        if kind == .mzip { source.platform = "ios" }
        if kind == .usersTrack {
            source.actions = ["push_impression": "impression", "push_click": "click", "push_open": "open"]
        }
        guard kind == .collector || layout.hasBodies else { return source }
        source.layout =
            switch layout {
            case .combined: .combined
            case .nginx: .nginx(Layout.nginxFormat)
            case .apache: .apache(Layout.apacheFormat)
            case .w3c: .w3c
            case .cloudfront: .cloudfront
            case .alb: .alb
            case .json: .json
            case .gcpLB: .gcpLB
            case .caddy: .caddy
            }
        return source
    }
}
