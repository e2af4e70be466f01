import Foundation
import LogFiles

/// Gives a worker the blocks of its files, one file after the other. The worker's own thread unpacks them, until a
/// thread is idle and enough of the file is left: then that thread unpacks ahead while the worker parses.
final class BlockFeed: BlockSource {
    private let unpacker = Unpacker()
    /// The number of threads that the load may use and that are idle.
    private let idle: Monitor<Int>
    /// The most bytes for blocks that are unpacked ahead.
    private let memory: Int
    /// The compressed bytes that must be left of a file to make a second thread worth its cost.
    private let leastLeft: Int
    private var bytes = 0
    private var ahead: UnpackingAhead?

    init(idle: Monitor<Int>, memory: Int = UnpackingAhead.mostMemory, leastLeft: Int = 1 << 20) {
        self.idle = idle
        self.memory = memory
        self.leastLeft = leastLeft
    }

    var report: FileReport { unpacker.report }

    /// Begins a file, and ends the one before. `bytes` is its approximate size. The thread that unpacks calls the
    /// closures.
    func begin(
        _ path: String, bytes: Int, members: Int, didRead: @escaping @Sendable (Int) throws -> Void,
        willTakeWindow: @escaping @Sendable (Int) -> Void = { _ in }
    ) throws {
        end()
        self.bytes = bytes
        try unpacker.begin(path, members: members, didRead: didRead, willTakeWindow: willTakeWindow)
    }

    func fill(_ block: inout Block) throws -> Bool {
        if let ahead { return try ahead.exchange(&block) }
        guard bytes - unpacker.bytesRead >= leastLeft, takeThread() else { return try unpacker.fill(&block) }
        let ahead = UnpackingAhead(unpacker, memory: memory)
        self.ahead = ahead
        return try ahead.exchange(&block)
    }

    /// Ends the file. Must be called even if not all of its blocks were taken.
    func end() {
        guard let ahead else { return }
        ahead.end()
        self.ahead = nil
        idle.change { $0 += 1 }
    }

    /// Takes an idle thread. Returns false if all are at work.
    private func takeThread() -> Bool {
        idle.change { threads in
            guard threads > 0 else { return false }
            threads -= 1
            return true
        }
    }
}
