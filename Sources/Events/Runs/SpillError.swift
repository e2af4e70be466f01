import Foundation
import Posix

/// A system call on a temporary file failed.
package struct SpillError: Error, Equatable {
    package enum Step: Sendable { case create, write, read }

    package let step: Step
    package let folder: String
    package let code: Int32
}
