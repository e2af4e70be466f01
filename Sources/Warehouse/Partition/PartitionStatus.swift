/// Whether all of a log date's files were there and whole.
package enum PartitionStatus: String, Sendable {
    case complete
    case partial
}
