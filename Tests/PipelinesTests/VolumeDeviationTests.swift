import Calendar
import Testing

@testable import Pipelines

private func deviation(_ records: Int, of former: [Int]) -> VolumeDeviation? {
    VolumeDeviation(
        source: "adobe", records: records,
        former: former.enumerated().map { week, records in
            VolumeDeviation.Former(LogDate(dayNumber: 20_000 - 7 * week), records: records)
        })
}

struct VolumeDeviationTests {
    @Test(arguments: [
        ([1500, 1000, 1200], 1200, 600, 2400), ([1500, 1001], 1251, 626, 2501),
        // Even weeks.
        ([1040, 1000, 1020, 1010], 1015, 677, 1522), ([1000, 1000], 1000, 667, 1500), ([1000, 1001], 1001, 667, 1500),
    ])
    func fewerAndMoreThanUsualAreNamed(former: [Int], median: Int, least: Int, most: Int) throws {
        let low = try #require(deviation(least - 1, of: former))
        #expect(low.isLow && low.median == median)
        #expect(deviation(least, of: former) == nil)
        #expect(deviation(most, of: former) == nil)
        let high = try #require(deviation(most + 1, of: former))
        #expect(!high.isLow && high.median == median)
        #expect(deviation(0, of: former)?.isLow == true)
    }

    /// Too few dates, a median below 1,000, and a date that was unusual itself.
    @Test(arguments: [
        [], [5000], [999, 999], [1000, 999], [1500, 1500, 1500, 749], [1500, 1500, 1500, 3001], [0, 0, 0, 0],
        [0, 2000],
    ])
    func nothingIsNamedWhereNobodyKnowsWhatIsUsual(former: [Int]) {
        #expect(deviation(0, of: former) == nil)
        #expect(deviation(1_000_000, of: former) == nil)
    }

    @Test func aDateWithinHalfAndTwiceTheMedianCounts() {
        #expect(deviation(0, of: [1500, 1500, 1500, 750]) != nil)
        #expect(deviation(0, of: [1500, 1500, 1500, 3000]) != nil)
    }
}
