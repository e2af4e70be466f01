import Calendar
import Dispatch
import Synchronization
import Testing

@testable import Pipelines

private let first = LogDate(dayNumber: 20_000)

struct UnfinishedDatesTests {
    @Test func aLoadWaitsUntilTheOthersHaveEnded() {
        let unfinished = UnfinishedDates([first, first.adding(days: 7)])
        let order = Mutex<[String]>([])
        DispatchQueue.concurrentPerform(iterations: 2) { thread in
            if thread == 0 {
                order.withLock { $0.append("ended") }
                unfinished.finish(first)
            } else {
                _ = try? unfinished.wait(for: [first, first.adding(days: -7)], stop: StopFlag())
                order.withLock { $0.append("waited") }
            }
        }
        #expect(order.withLock { $0 } == ["ended", "waited"])
    }

    @Test func nobodyWaitsForADateThatIsNotLoaded() throws {
        try UnfinishedDates([first]).wait(for: [first.adding(days: 7)], stop: StopFlag())
    }

    @Test func aStoppedCommandDoesNotGoOn() {
        let (unfinished, stop) = (UnfinishedDates([first]), StopFlag())
        stop.raise()
        unfinished.finish(first)
        #expect(throws: Stopped.self) { try unfinished.wait(for: [first], stop: stop) }
    }
}
