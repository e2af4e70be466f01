import Dispatch
import Synchronization
import Testing

@testable import Pipelines

struct MonitorTests {
    @Test func aChangeWaitsUntilTheValueIsAsWanted() {
        let monitor = Monitor<Set<Int>>([1, 7])
        let order = Mutex<[String]>([])
        DispatchQueue.concurrentPerform(iterations: 2) { thread in
            if thread == 0 {
                order.withLock { $0.append("ended") }
                monitor.change { $0.remove(1) }
            } else {
                monitor.change(when: { $0.isDisjoint(with: [1, 2]) }, { _ in order.withLock { $0.append("waited") } })
            }
        }
        #expect(order.withLock { $0 } == ["ended", "waited"])
    }
}
