import ArgumentParser
import Foundation

enum IDForm: String, CaseIterable, ExpressibleByArgument, Sendable {
    /// 32-bit ids, each date's in a range of its own that grows with the date, as a database sequence gives them.
    case hex
    /// 32-bit ids without order.
    case random
    case uuid
    /// Half hex, half UUIDs.
    case mixed
}
