/// Whether all files of a log date were present and undamaged.
package enum PartitionStatus: String, Codable, Sendable {
    case complete
    case partial
}
