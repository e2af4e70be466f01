import Foundation

/// The memory for the windows of the zstd files that are read at once. At least one file can always be read.
///
/// `@unchecked Sendable`: `taken` is only touched under the condition's lock.
final class WindowMemory: @unchecked Sendable {
    private let total: Int
    private var taken = 0
    private let condition = NSCondition()

    /// - Parameter total: bytes.
    init(total: Int) {
        self.total = total
    }

    /// Waits until so many bytes are free.
    func take(_ bytes: Int) {
        condition.withLock {
            while taken > 0 && bytes > 0 && taken + bytes > total { condition.wait() }
            taken += bytes
        }
    }

    func give(_ bytes: Int) {
        condition.withLock {
            taken -= bytes
            condition.broadcast()
        }
    }
}
