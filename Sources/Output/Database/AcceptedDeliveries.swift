import Partitions

/// What the delivery files said when they could be read last.
package enum AcceptedDeliveries {
    /// The version of the list of deliveries; nil if no list was accepted yet, or push.db cannot be read.
    package static func version(in folder: OutputFolder) -> String? {
        // Then the files are read again, which is right at any time.
        (try? OutputDatabase(folder, busyTimeout: 1).publishedDeliveries()) ?? nil
    }

    /// Whether the list names any.
    package static func areAny(in folder: OutputFolder) -> Bool {
        // Only a sentence depends on it.
        let isListed = try? OutputDatabase(folder, busyTimeout: 1).read { try $0.hasRow("SELECT 1 FROM _listed") }
        return isListed == true
    }
}
