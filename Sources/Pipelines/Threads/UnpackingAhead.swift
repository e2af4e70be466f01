import Dispatch
import Foundation
import LogFiles

/// Unpacks the rest of a file on its own thread, a bounded number of blocks ahead of the taker. Blocks are reused: the
/// taker gives a used block back, and it is filled again.
///
/// `@unchecked Sendable`: the variables are accessed only under the condition's lock. Until `end` has returned, only
/// the thread that `init` starts uses the unpacker.
final class UnpackingAhead: @unchecked Sendable {
    /// Enough memory for the blocks that are unpacked while the taker sorts its events.
    static let mostMemory = 32 * Block.memory

    private let unpacker: Unpacker
    private let condition = NSCondition()
    private var full: [Block] = []
    private var empty: [Block] = []
    /// The number of blocks that may still be allocated. The taker has one more.
    private var unallocated: Int
    /// Set once the file has ended or reading has failed.
    private var outcome: Result<Void, any Error>?
    private var isAbandoned = false

    /// - Parameter memory: the most bytes for blocks. At least two blocks are used.
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

    /// Gives a used block back and takes the next full one. Returns false at the end of the file; not to be called
    /// again after that.
    ///
    /// - Throws: the error of unpacking.
    func exchange(_ block: inout Block) throws -> Bool {
        var used = Block.nothing
        swap(&used, &block)
        condition.lock()
        defer { condition.unlock() }
        // The list must be the block's only owner. Otherwise writing to the block would copy it.
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
