/// An entry of `deliveries` in a pipeline file.
package struct DeliveryEntry: Equatable {
    /// `deliveries/NAME/*.csv`: the files are those in this folder.
    package var name: String
    package var isDecimal = false
    /// Nil for the pipeline's.
    package var timeZone: String?
    /// The names of the columns that differ from their keys.
    package var columns: [String: String] = [:]

    package init(name: String, isDecimal: Bool = false) {
        self.name = name
        self.isDecimal = isDecimal
    }

    package var pattern: String { "deliveries/\(name)/*" }
}

/// A delivery file.
package struct DeliveryFile: Equatable {
    package var path: String
    package var bytes: Bytes

    package init(path: String, bytes: Bytes) {
        self.path = path
        self.bytes = bytes
    }
}
