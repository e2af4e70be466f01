/// Where an event has a value: at a path, or at the first of several paths whose value is not missing, null or blank.
///
/// A path is a list of names. Through an array it leads to the array's first element.
package struct ValuePlace: Hashable, Sendable, ExpressibleByArrayLiteral {
    /// Empty if events have no such value.
    package let paths: [[String]]

    package init(_ path: [String]) {
        paths = path.isEmpty ? [] : [path]
    }

    package init(firstOf paths: [[String]]) {
        assert(paths.allSatisfy { !$0.isEmpty })
        self.paths = paths
    }

    /// The names of a single path; none if events have no such value.
    package init(arrayLiteral names: String...) {
        self.init(names)
    }

    package var isNowhere: Bool { paths.isEmpty }

    /// The paths as in a pipeline file, with commas between.
    package var text: String { paths.map { PathText.text($0) }.joined(separator: ", ") }
}
