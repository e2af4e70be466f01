import Partitions

/// What reading a whole partition has shown.
enum PartitionReading: Sendable {
    case sound
    case damaged(WarehouseError)
}
