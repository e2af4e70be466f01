import Foundation

/// A system call on a temporary file failed.
package struct SpillError: Error, Equatable {
    package enum Step: Sendable { case create, write, read }

    package let step: Step
    package let folder: String
    package let code: Int32
}

/// A temporary file for sorted runs. It has a name for an instant only, one like those that the next command removes,
/// so nothing is left of it after a crash.
///
/// `@unchecked Sendable`: the descriptor never changes, and reads are by position. `size` is all that does change, and only
/// the one worker that made the file appends to it, before anyone else has a run in it.
package final class SpillFile: @unchecked Sendable {
    private let descriptor: Int32
    private let folder: String
    private var size = 0

    package init(folder: String) throws(SpillError) {
        self.folder = folder
        var template = Array("\(folder)/.run.XXXXXX.tmp".utf8CString)
        descriptor = mkstemps(&template, 4)
        guard descriptor >= 0 else { throw SpillError(step: .create, folder: folder, code: errno) }
        unlink(template)
    }

    deinit {
        close(descriptor)
    }

    /// Appends `bytes`; answers where they lie.
    func append(_ bytes: [UInt8]) throws(SpillError) -> Int {
        let start = size
        var done = 0
        while done < bytes.count {
            let written = bytes.withUnsafeBytes { buffer in
                pwrite(descriptor, buffer.baseAddress.map { $0 + done }, buffer.count - done, off_t(start + done))
            }
            if written < 0 {
                if errno == EINTR { continue }
                throw SpillError(step: .write, folder: folder, code: errno)
            }
            done += written
        }
        size += bytes.count
        return start
    }

    func read(at offset: Int, count: Int) throws(SpillError) -> [UInt8] {
        var failure: Int32?
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            while filled < count {
                let target = buffer.baseAddress.map { $0 + filled }
                let got = pread(descriptor, target, count - filled, off_t(offset + filled))
                if got < 0 && errno == EINTR { continue }
                guard got > 0 else {
                    failure = got < 0 ? errno : EIO
                    return
                }
                filled += got
            }
        }
        if let failure { throw SpillError(step: .read, folder: folder, code: failure) }
        return bytes
    }
}
