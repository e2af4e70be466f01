import Calendar
import Reference
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
        let usual = try write(smallPlan { $0.recordsPerDate = 500 })
        let other = try write(
            smallPlan {
                $0.recordsPerDate = 500
                $0.level = level
                $0.memberRecords = memberRecords
            })
        for (path, bytes) in usual.files {
            let unpacked = try #require(gunzip(bytes))
            #expect(try #require(gunzip(other.files[path] ?? [])) == unpacked)
        }
    }

    @Test(arguments: Layout.allCases, [0, 1, 7, 299])
    func aDateHasAsManyRecordsAsAskedFor(layout: Layout, records: Int) throws {
        let plan = try smallPlan {
            $0.layout = layout
            $0.recordsPerDate = records
        }
        let truths = try write(plan).truths
        for date in plan.dates {
            #expect(truths.filter { $0.file.date == date }.reduce(0) { $0 + $1.count } == records)
        }
    }

    @Test func withoutNoiseAllRecordsAreAccepted() throws {
        let truths = try write(smallPlan { $0.noise = .none }).truths
        #expect(truths.allSatisfy { $0.count == $0.counts[.accepted, default: 0] })
    }

    @Test func everydayNoiseIsFilteredAndNeverRejected() throws {
        let truths = try write(smallPlan { $0.noise = .everyday }).truths
        let seen = meanings(truths)
        #expect(!seen.contains { $0.outcome?.kind == "rejected" })
        #expect(seen.isSuperset(of: [.notTracking, .link, .trackingDisabled, .httpError, .notAnEvent, .trackingOff]))
    }

    @Test func everyFilterAndEveryRejectOccurs() throws {
        var seen: Set<Meaning> = []
        for layout in Layout.allCases {
            let plan = try smallPlan {
                $0.layout = layout
                $0.recordsPerDate = 8000
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
                $0.recordsPerDate = 500
            }
            return try write(plan).truths.map { "\($0.hits) \($0.counts.sorted { $0.key.rawValue < $1.key.rawValue })" }
        }
        #expect(try hits(layout) == hits(.combined))
    }

    @Test func idsGrowWithTheDate() throws {
        let universe = Universe(plan: try smallPlan())
        let ranges = universe.plan.dates.map { date in
            (0..<500).map { index -> UInt64 in
                guard case .hex(let id) = universe.message(date, .file(.collector, 0), index).id else { return 0 }
                return id
            }
        }
        #expect(ranges.allSatisfy { Set($0).count == 500 && $0.min() ?? 0 > 0 })
        #expect((ranges[0].max() ?? 0) < (ranges[1].min() ?? 0) && (ranges[1].max() ?? 0) < (ranges[2].min() ?? 0))
    }

    @Test func addressesAreFromTheRangesForDocumentation() throws {
        let files = try write(smallPlan { $0.kinds = [.collector] }).files
        for bytes in files.values {
            let text = String(decoding: try #require(gunzip(bytes)), as: UTF8.self)
            for line in text.split(whereSeparator: \.isNewline) where !line.hasPrefix("Nov 19") {
                let ranges = ["192.0.2.", "198.51.100.", "203.0.113.", "2001:db8::"]
                #expect(ranges.contains { line.hasPrefix($0) }, "\(line)")
            }
        }
    }

    @Test func everyRowOfTheOdditiesIsUnderstood() {
        let rows = String(decoding: PackageResources.Oddities_tsv, as: UTF8.self).split(separator: "\n")
            .filter { !$0.hasPrefix("#") }.map { $0.split(separator: "\t", omittingEmptySubsequences: false) }
        let oddities = [Oddity.collector, Oddity.request, Oddity.mzip, Oddity.event, Oddity.body].flatMap { $0 }
        let kinds = ["collector", "request", "mzip", "event", "body"]
        let inOrder = kinds.flatMap { kind in rows.filter { $0[0] == kind } }
        #expect(inOrder.count == rows.count)
        for (row, oddity) in zip(inOrder, oddities) {
            #expect(oddity.verdict?.rawValue ?? "" == row[1])
            let names = row.dropFirst(2).map { $0.prefix { $0 != "=" } }
            #expect(oddity.changes.map { $0.name.rawValue } == names.map(String.init))
        }
    }

    private func meanings(_ truths: [FileTruth]) -> Set<Meaning> {
        Set(Meaning.allCases.filter { meaning in truths.contains { $0.counts[meaning] != nil } })
    }
}
