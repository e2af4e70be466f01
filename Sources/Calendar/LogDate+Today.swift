import Foundation

extension LogDate {
    /// The date in a zone, by the system's clock.
    package static func today(in zone: ZoneRules) -> LogDate {
        let now = Int64(Date().timeIntervalSince1970)
        return LogDate(dayNumber: Int((now + zone.offset(at: now)).flooredQuotient(by: 86_400)))
    }
}
