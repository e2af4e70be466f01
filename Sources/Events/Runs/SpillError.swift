import Foundation
import Posix

/// A spill file could not be created, written or read.
package struct SpillError: Error, Equatable {
    package enum Step: Sendable { case create, write, read }

    package let step: Step
    /// The folder of the spill file, which has no name itself.
    package let folder: String
    /// The value of `errno`.
    package let code: Int32
}
