import Dispatch
import Foundation
import LogFiles

/// Unpacks the rest of a file on a thread of its own, at most some blocks ahead of whoever takes them. The blocks go round:
/// one that has been used is filled again.
///
/// `@unchecked Sendable`: `full`, `empty`, `outcome` and `isAbandoned` are only touched under the lock. The unpacker is used
/// by the thread that is started here alone, from `init` until `end` has returned.
final class UnpackingAhead: @unchecked Sendable {
    /// Bytes of blocks that are enough for the time in which the taker sorts what it has collected.
    static let mostMemory = 32 * Block.memory

    private let unpacker: Unpacker
    private let lock = NSLock()
    private var full: [Block] = []
    private var empty: [Block] = []
    private var outcome: Result<Void, any Error>?
    private var isAbandoned = false
    /// Blocks that may be filled, but for the one that the taker has; those that are; the thread's end.
    private let fillable = DispatchSemaphore(value: 0)
    private let filled = DispatchSemaphore(value: 0)
    private let ended = DispatchSemaphore(value: 0)

    /// - Parameter memory: Bytes that the blocks may take; there are at least two.
    init(_ unpacker: Unpacker, memory: Int) {
        self.unpacker = unpacker
        // A semaphore must not end with less than it was made with.
        for _ in 1..<max(2, memory / Block.memory) { fillable.signal() }
        // A queue of its own gets a thread also where all others wait.
        DispatchQueue(label: "unpacking").async { [self] in
            unpackAll()
            ended.signal()
        }
    }

    /// Gives a block back for the next; answers false where there is none. Not to be called again then.
    func exchange(_ block: inout Block) throws -> Bool {
        var used = Block.nothing
        swap(&used, &block)
        lock.lock()
        // Nobody else may hold a block, or it would be copied when it is written to.
        empty.append(consume used)
        lock.unlock()
        fillable.signal()
        filled.wait()
        lock.lock()
        defer { lock.unlock() }
        guard full.isEmpty else {
            block = full.removeFirst()
            return true
        }
        block = empty.popLast() ?? Block()
        try outcome?.get()
        return false
    }

    /// Returns when the thread has ended, which leaves what has not been taken yet.
    func end() {
        lock.withLock { isAbandoned = true }
        fillable.signal()
        ended.wait()
    }

    private func unpackAll() {
        let outcome = Result { while try unpackBlock() {} }
        lock.withLock { self.outcome = outcome }
        filled.signal()
    }

    private func unpackBlock() throws -> Bool {
        fillable.wait()
        lock.lock()
        let goesOn = !isAbandoned
        var block = empty.popLast() ?? Block.nothing
        lock.unlock()
        guard goesOn else { return false }
        if block.isNothing { block = Block() }
        guard try unpacker.fill(&block) else { return false }
        lock.lock()
        full.append(consume block)
        lock.unlock()
        filled.signal()
        return true
    }
}
