import Calendar
import LogFiles

/// One entry of `deliveries` in a pipeline file: CSV files that name deliveries, and how to read them.
package struct DeliveryFiles: Sendable {
    /// How the files write delivery ids.
    package enum IDForm: String, CaseIterable, Sendable {
        /// In the same form as in the logs.
        case text
        /// As a signed decimal number. The logs have the hexadecimal digits of the same number.
        case decimal
    }

    /// A value of a row. The raw value is the key in `columns`, and also the default name of the column.
    package enum Column: String, CaseIterable, Sendable {
        case deliveryID = "delivery_id"
        case platform, label, campaign, variant
        case sentAt = "sent_at"
        case sent, delivered
    }

    /// Relative to the pipeline file's folder, or absolute; without placeholders.
    package let files: FilePatterns
    package let idForm: IDForm
    /// The zone of times without an offset.
    package let zone: ZoneRules
    /// The name of each column in the header.
    package let columns: [Column: String]

    package init(files: FilePatterns, idForm: IDForm, zone: ZoneRules, columns: [Column: String]) {
        self.files = files
        self.idForm = idForm
        self.zone = zone
        self.columns = columns
    }
}
