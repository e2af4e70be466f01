import Calendar

/// The days of push.db that are in neither period.
struct OutsideDays {
    let count: Int
    let messages: Int
    let first: LogDate?
    let last: LogDate?
}
