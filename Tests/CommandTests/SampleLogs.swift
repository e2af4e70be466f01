import Testing

/// Gives the tests of a suite three loaded dates of the sample logs. They are loaded once, so the tests must not change
/// them.
struct SampleLogs: SuiteTrait, TestScoping {
    @TaskLocal private static var shared: Workplace?

    static func loaded() throws -> Workplace { try #require(shared) }

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        let place = try Workplace.withSamples()
        #expect(try place.run("backfill", "--from", "2026-11-17", "--to", "2026-11-19").exit == 0)
        try await Self.$shared.withValue(place, operation: function)
    }
}

extension Trait where Self == SampleLogs {
    static var sampleLogs: Self { SampleLogs() }
}
