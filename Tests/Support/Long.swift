import Foundation

/// The long tests. `PUSHETL_LONG=1` in the environment turns them on; a short form of each always runs.
package enum Long {
    package static let isOn = ProcessInfo.processInfo.environment["PUSHETL_LONG"] == "1"
}
