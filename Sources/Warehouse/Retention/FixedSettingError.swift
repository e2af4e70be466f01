/// A setting that is fixed once a log date is settled, and has another value now.
package enum FixedSettingError: Error, Equatable, Sendable {
    case timezone(was: String, is: String)
    case windowDays(was: Int, is: Int)
    /// In the order that breaks ties: of the sources that were there when log dates settled.
    case sources(was: [String], are: [String])
}
