import Foundation

/// The long tests. `PUSHETL_LONG=1` in the environment turns them on; a short form of each always runs.
package enum Long {
    package static let isOn = ProcessInfo.processInfo.environment["PUSHETL_LONG"] == "1"

    /// All cases in the long form, and one of so many in the short one.
    package static func cases<Case>(_ all: [Case], oneOf count: Int) -> [Case] {
        isOn ? all : stride(from: 0, to: all.count, by: count).map { all[$0] }
    }
}
