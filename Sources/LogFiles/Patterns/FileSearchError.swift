import Calendar
import Foundation
import Posix

/// Why a search for files failed.
package enum FileSearchError: Error, Equatable {
    /// A folder cannot be listed. The path is relative if the pattern is. `code` is the value of `errno`.
    case unreadableFolder(String, code: Int32)
    /// The type of a file cannot be determined.
    case unreadableFile(String, code: Int32)
    /// A matching name is not valid UTF-8, so its path cannot be stored. Invalid bytes are shown as U+FFFD.
    case nameNotUTF8(String)
}
