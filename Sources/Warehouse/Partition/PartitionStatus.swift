/// Whether all files of a log date were present and undamaged.
package enum PartitionStatus: String, Sendable {
    case complete
    case partial
}
