/// An entry of `deliveries` in a pipeline file.
package struct DeliveryEntry: Equatable {
    /// `deliveries/NAME/*.csv`: the files are those in this folder.
    package var name: String
    package var isDecimal = false
    /// Nil for the pipeline's.
    package var timeZone: String?
    /// The names of the columns that differ from their keys.
    package var columns: [String: String] = [:]

    package var pattern: String { "deliveries/\(name)/*" }
}

/// A delivery file.
package struct DeliveryFile: Equatable {
    package var path: String
    package var bytes: Bytes
}
