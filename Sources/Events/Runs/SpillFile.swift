import Foundation
import Posix

/// A temporary file for sorted runs. It has a name for an instant only, one like those that the next command removes,
/// so nothing is left of it after a crash.
///
/// `@unchecked Sendable`: the descriptor never changes, and reads are by position. `size` is all that does change, and only
/// the one worker that made the file appends to it, before anyone else has a run in it.
package final class SpillFile: @unchecked Sendable {
    private let file: FileDescriptor
    private let folder: String
    private var size = 0

    package init(folder: String) throws(SpillError) {
        self.folder = folder
        var template = Array("\(folder)/.run.XXXXXX.tmp".utf8CString)
        file = FileDescriptor(mkstemps(&template, 4), path: folder)
        guard file.number >= 0 else { throw SpillError(step: .create, folder: folder, code: errno) }
        unlink(template)
    }

    deinit {
        file.close()
    }

    /// Appends `bytes`; returns the offset at which they begin.
    func append(_ bytes: [UInt8]) throws(SpillError) -> Int {
        let start = size
        do {
            try file.write(bytes.span, at: start)
        } catch {
            throw SpillError(step: .write, folder: folder, code: error.code)
        }
        size += bytes.count
        return start
    }

    func read(at offset: Int, count: Int) throws(SpillError) -> [UInt8] {
        var failure: Int32?
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            do throws(SystemError) {
                filled = try file.fill(UnsafeMutableBufferPointer(rebasing: buffer[..<count]), at: offset)
                if filled < count { failure = EIO }
            } catch {
                failure = error.code
            }
        }
        if let failure { throw SpillError(step: .read, folder: folder, code: failure) }
        return bytes
    }
}
