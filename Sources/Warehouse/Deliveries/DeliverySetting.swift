import Calendar
import Events

/// What the rows of a delivery depend on besides the delivery itself.
struct DeliverySetting {
    /// In the pipeline's time zone.
    var clock: DayClock
    /// The platforms of which push.db has arrivals. The devices of others may not report any.
    let arrivals: Set<Platform>
}
