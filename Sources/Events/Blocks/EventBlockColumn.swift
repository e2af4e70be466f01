/// The columns of a block, in their order in its bytes.
enum EventBlockColumn: Int, CaseIterable {
    /// One bit per event: the event begins a message.
    case messageStart
    /// One bit per event: its delivery, source or platform differs from the event before.
    case detailChange
    /// One value per message after the first.
    case idHigh, idLow
    /// One value per change of detail.
    case delivery, source, platform
    /// One value per event.
    case action, time
    /// One value per event with more than one record.
    case repeatedIndex, extraRecords
}
