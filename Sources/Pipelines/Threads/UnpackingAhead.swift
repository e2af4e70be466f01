import Dispatch
import Foundation
import LogFiles

/// Unpacks the rest of a file on a thread of its own, a bounded number of blocks ahead of whoever takes them. Blocks are
/// reused: a block that the taker gives back is filled again.
///
/// `@unchecked Sendable`: the variables are only touched under the condition's lock. The unpacker is used only by the
/// thread that is started in `init`, until `end` has returned.
final class UnpackingAhead: @unchecked Sendable {
    /// Enough bytes of blocks for the time in which the taker sorts what it has collected.
    static let mostMemory = 32 * Block.memory

    private let unpacker: Unpacker
    private let condition = NSCondition()
    private var full: [Block] = []
    private var empty: [Block] = []
    /// How many more blocks may be allocated. The taker has one of its own.
    private var unallocated: Int
    /// Set once the file has ended or reading has failed.
    private var outcome: Result<Void, any Error>?
    private var isAbandoned = false

    /// - Parameter memory: bytes that the blocks may take; there are at least two.
    init(_ unpacker: Unpacker, memory: Int) {
        self.unpacker = unpacker
        unallocated = max(2, memory / Block.memory) - 1
        // A queue of its own gets a thread even when all threads of the pool wait.
        DispatchQueue(label: "unpacking").async { [self] in
            let outcome = Result { while try unpackBlock() {} }
            condition.withLock {
                self.outcome = outcome
                condition.broadcast()
            }
        }
    }

    /// Gives a used block back and takes the next full one. Returns false at the end of the file; not to be called again
    /// after that.
    ///
    /// - Throws: what unpacking threw.
    func exchange(_ block: inout Block) throws -> Bool {
        var used = Block.nothing
        swap(&used, &block)
        condition.lock()
        defer { condition.unlock() }
        // Nobody else may hold a block, or it would be copied when it is written to.
        empty.append(consume used)
        condition.broadcast()
        while full.isEmpty && outcome == nil { condition.wait() }
        guard full.isEmpty else {
            block = full.removeFirst()
            return true
        }
        block = empty.popLast() ?? Block()
        try outcome?.get()
        return false
    }

    /// Returns when the thread has ended. Blocks that were not taken are dropped.
    func end() {
        condition.withLock {
            isAbandoned = true
            condition.broadcast()
            while outcome == nil { condition.wait() }
        }
    }

    /// Returns false when there is nothing more to do.
    private func unpackBlock() throws -> Bool {
        condition.lock()
        while !isAbandoned && empty.isEmpty && unallocated == 0 { condition.wait() }
        let goesOn = !isAbandoned
        if empty.isEmpty { unallocated -= 1 }
        var block = empty.popLast() ?? Block.nothing
        condition.unlock()
        guard goesOn else { return false }
        if block.isNothing { block = Block() }
        guard try unpacker.fill(&block) else { return false }
        condition.lock()
        full.append(consume block)
        condition.broadcast()
        condition.unlock()
        return true
    }
}
