import Calendar
import Events
import Testing

@testable import Counting

@Suite struct PackedTableTests {
    /// Rows of deliveries and days that anybody may send. Without a secret in the hash they would meet in a few slots, and each
    /// would be compared with thousands before it.
    @Test func rowsThatWereChosenToMeetTakeNoLongerThanOthers() {
        func time(_ isChosen: Bool) -> Duration {
            let days = (0..<100_000 as Range<UInt32>).map { delivery -> Int32 in
                let any = 20_000 + Int32(delivery % 32)
                return isChosen ? (20_000..<20_032).min { slot($0, delivery) < slot($1, delivery) } ?? any : any
            }
            let times = (0..<3).map { _ in
                ContinuousClock().measure {
                    var counts = ActionCounts(by: .day)
                    for (delivery, day) in days.enumerated() {
                        counts.add(
                            Event(
                                id: EventID(high: 0, low: 1), time: 0, delivery: UInt32(delivery), source: 0, action: 0,
                                platform: .android), day: LogDate(dayNumber: Int(day)))
                    }
                    #expect(counts.rows().count == days.count)
                }
            }
            return times.min() ?? .zero
        }
        let (ofChosen, ofOthers) = (time(true), time(false))
        #expect(ofChosen < ofOthers * 4 + .milliseconds(50))
    }

    /// The slot of the row among 2^18, if it were chosen by numbers that everybody knows.
    private func slot(_ day: Int32, _ delivery: UInt32) -> UInt64 {
        let high = UInt64(UInt32(bitPattern: day) ^ 1 << 31) << 32 | UInt64(delivery)
        let mixed = high &* 0xD6E8_FEB8_6659_FD93
        return (mixed ^ mixed >> 32) & 0x3_FFFF
    }
}
