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

    /// A file waits for the window of a later frame until the other one has given its own back, and holds none meanwhile.
    @Test func windowsOfFilesThatAreReadAtOnceStayWithinTheMemory() {
        let windows = Monitor(0)
        let shares = [WindowShare(windows, most: 100), WindowShare(windows, most: 100)]
        DispatchQueue.concurrentPerform(iterations: 2) { thread in
            for _ in 0..<1000 {
                for bytes in [40, 90] {
                    shares[thread].exchange(for: bytes)
                    #expect(shares[thread].bytes == bytes)
                    #expect(windows.change { $0 } <= 100)
                }
                shares[thread].exchange(for: 0)
            }
        }
        // One that is larger than all of the memory is granted, alone.
        shares[0].exchange(for: 200)
        #expect(windows.change { $0 } == 200)
    }
}
