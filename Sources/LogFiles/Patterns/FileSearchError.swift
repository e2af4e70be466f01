import Calendar
import Foundation
import Posix

/// Why a folder could not be searched.
package enum FileSearchError: Error, Equatable {
    /// The folder (as the pattern writes it), and the system's error code.
    case unreadableFolder(String, code: Int32)
    /// The system does not say what this path is.
    case unreadableFile(String, code: Int32)
    /// A name that fits and is no UTF-8, shown with U+FFFD: it cannot be written down, so the file would be lost.
    case nameNotUTF8(String)
}
