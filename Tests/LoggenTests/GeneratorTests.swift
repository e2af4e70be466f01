import Support
import Testing

@testable import loggen

@Suite struct GeneratorTests {
    @Test func theSamePlanGivesTheSameBytesWithAnyNumberOfJobs() throws {
        let one = try write(smallPlan(), jobs: 1)
        let three = try write(smallPlan(), jobs: 3)
        #expect(one.files == three.files)
    }

    @Test func anotherSeedGivesOtherBytes() throws {
        let first = try write(smallPlan())
        let second = try write(smallPlan { $0.seed = 8 })
        #expect(first.files.allSatisfy { $0.value != second.files[$0.key] })
    }

    @Test(arguments: [(1, 100), (9, 0), (6, 7)])
    func levelAndMembersDoNotChangeTheUnpackedBytes(level: Int, memberRecords: Int) throws {
        let usual = try write(smallPlan())
        let other = try write(
            smallPlan {
                $0.level = level
                $0.memberRecords = memberRecords
            })
        for (path, bytes) in usual.files {
            let unpacked = try #require(gunzip(bytes)).bytes
            #expect(try #require(gunzip(other.files[path] ?? [])).bytes == unpacked)
        }
    }

    @Test(arguments: Layout.allCases, [0, 1, 7, 1999])
    func aDateHasAsManyRecordsAsAskedFor(layout: Layout, records: Int) throws {
        let plan = try smallPlan {
            $0.layout = layout
            $0.recordsPerDate = records
        }
        let truths = try write(plan).truths
        for date in plan.dates {
            #expect(truths.filter { $0.file.date == date }.reduce(0) { $0 + $1.records } == records)
        }
    }

    @Test func withoutNoiseAllRecordsAreAccepted() throws {
        let truths = try write(smallPlan { $0.noise = .none }).truths
        #expect(truths.allSatisfy { $0.records == $0.counts[Meaning.accepted.rawValue] })
    }

    @Test func everydayNoiseIsFilteredAndNeverRejected() throws {
        let truths = try write(smallPlan { $0.noise = .everyday }).truths
        let seen = meanings(truths)
        #expect(!seen.contains { $0.outcome == "rejected" })
        #expect(seen.isSuperset(of: [.notTracking, .link, .trackingDisabled, .httpError, .notAnEvent, .trackingOff]))
    }

    @Test func everyFilterAndEveryRejectOccurs() throws {
        var seen: Set<Meaning> = []
        for layout in Layout.allCases {
            let plan = try smallPlan {
                $0.layout = layout
                $0.recordsPerDate = 20_000
                $0.requireMcID = layout == .json
                $0.longLines = layout == .combined ? 1 : 0
            }
            seen.formUnion(meanings(try write(plan).truths))
        }
        #expect(seen == Set(Meaning.allCases))
    }

    @Test(arguments: Layout.allCases)
    func theHitsOfTheCollectorAreTheSameWithEveryLayout(layout: Layout) throws {
        func hits(_ layout: Layout) throws -> [String] {
            let plan = try smallPlan {
                $0.layout = layout
                $0.noise = .everyday
                $0.kinds = [.collector]
            }
            return try write(plan).truths.map { "\($0.hits) \($0.counts)" }
        }
        #expect(try hits(layout) == hits(.combined))
    }

    @Test func idsGrowWithTheDate() throws {
        let universe = Universe(plan: try smallPlan())
        let ranges = universe.plan.dates.map { date in
            (0..<500).map { index -> UInt64 in
                guard case .hex(let id) = universe.message(date, .collector(file: 0), index).id else { return 0 }
                return id
            }
        }
        #expect(ranges.allSatisfy { Set($0).count == 500 && $0.min() ?? 0 > 0 })
        #expect((ranges[0].max() ?? 0) < (ranges[1].min() ?? 0) && (ranges[1].max() ?? 0) < (ranges[2].min() ?? 0))
    }

    @Test func addressesAreFromTheRangesForDocumentation() throws {
        let files = try write(smallPlan { $0.kinds = [.collector] }).files
        for bytes in files.values {
            let text = String(decoding: try #require(gunzip(bytes)).bytes, as: UTF8.self)
            for line in text.split(whereSeparator: \.isNewline) where !line.hasPrefix("Nov 19") {
                let ranges = ["192.0.2.", "198.51.100.", "203.0.113.", "2001:db8::"]
                #expect(ranges.contains { line.hasPrefix($0) }, "\(line)")
            }
        }
    }

    @Test func theFastPathAndADraftWriteTheSameLine() throws {
        var plan = try smallPlan { $0.noise = .none }
        plan.mcID = .all
        let universe = Universe(plan: plan)
        let message = universe.message(plan.firstDate, .collector(file: 0), 3)
        let agent = universe.agents.agents[message.agent]
        var draft = Draft(message: message, code: 7, time: 1_794_900_000_123, agent: agent)
        draft.hit()
        var speller = LineSpeller(layout: .combined, zone: plan.zone)
        var slow = ByteBuffer()
        speller.write(draft.line, into: &slow)

        let file = Plan.File(kind: .collector, date: plan.firstDate, index: 0, records: 1)
        let folder = try ScratchFolder()
        let output = try Output(path: folder.path("x.gz"), file: file, plan: plan, keepsHits: false)
        var collector = CollectorFile(universe: universe, file: file, output: output)
        try collector.writeHit(message, code: 7, at: 1_794_900_000_123)
        let quick = collector.output.buffer.contents
        let plain = slow.contents
        #expect(String(decoding: quick, as: UTF8.self) == String(decoding: plain, as: UTF8.self))
    }

    @Test(arguments: [IDForm.hex, .uuid])
    func aTemplateAndThePlainWayWriteTheSameArrival(ids: IDForm) throws {
        let universe = Universe(plan: try smallPlan { $0.ids = ids })
        var random = SplitMix64(seed: 3)
        for index in 0..<1000 {
            let message = universe.message(universe.plan.firstDate, .mzip(file: 0), index)
            let time = 1_794_900_000_000 + random.below(86_400_000)
            let order = random.next()
            var template = ByteBuffer()
            ArrivalTemplates.shared.write(message, time: time, order: order, into: &template)
            var json = ByteBuffer()
            Arrival(message: message, time: time).write(order: order, into: &json)
            var encoded = ByteBuffer()
            encoded.append("mzip=")
            json.contents.withUnsafeBytes { encoded.appendFormEncoded($0) }
            let (quick, plain) = (template.contents, encoded.contents)
            #expect(String(decoding: quick, as: UTF8.self) == String(decoding: plain, as: UTF8.self))
        }
    }

    private func meanings(_ truths: [FileTruth]) -> Set<Meaning> {
        Set(Meaning.allCases.filter { meaning in truths.contains { $0.counts[meaning.rawValue] > 0 } })
    }
}
