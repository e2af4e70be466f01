/// What a publish did.
package struct Publication: Sendable {
    /// Whether the output DB was written.
    package var changed: Bool
    /// Whether the command's rows of the history were written with it.
    package var isRecorded: Bool
    /// The log dates whose partitions the figures were made from, in order.
    package var logDates: [Int32]
    /// Partitions that were left out, and why.
    package var damaged: [WarehouseError]
    /// How push.db was not as the last command had left it; nil if it was.
    package var repaired: OutputFaults?
}
