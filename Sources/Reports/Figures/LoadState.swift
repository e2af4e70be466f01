/// What push.db knows about a log date.
enum LoadState {
    case complete, partial
    /// Not loaded, though the calendar of log dates has begun and not ended.
    case missing
    /// Not loaded, and before the first log date or after the last.
    case outside
    /// The last load that is on record was held back or failed.
    case heldBack
}
