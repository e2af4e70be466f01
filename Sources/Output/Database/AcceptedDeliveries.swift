import Partitions

/// The list of deliveries in push.db: the content of the delivery files at the last publishing that could read all of
/// them.
package enum AcceptedDeliveries {
    /// The version of the list of deliveries; nil if no list was accepted yet, or push.db cannot be read.
    package static func version(in folder: OutputFolder) -> String? {
        // A nil makes the command read the files again, which is always right.
        (try? OutputDatabase(folder, busyTimeout: 1).publishedDeliveries()) ?? nil
    }

    /// Whether the list names any.
    package static func areAny(in folder: OutputFolder) -> Bool {
        // The result only chooses between two sentences, so an error does not matter.
        let isListed = try? OutputDatabase(folder, busyTimeout: 1).read { try $0.hasRow("SELECT 1 FROM _listed") }
        return isListed == true
    }
}
