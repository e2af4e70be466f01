/// Codes of SQLite, SQLITE_ERROR and so on.
package struct ResultCode: RawRepresentable, Equatable, Sendable {
    package let rawValue: Int32

    package init(rawValue: Int32) {
        self.rawValue = rawValue
    }

    package static let error = ResultCode(rawValue: 1)
    package static let busy = ResultCode(rawValue: 5)
    package static let locked = ResultCode(rawValue: 6)
    package static let readOnly = ResultCode(rawValue: 8)
    package static let corrupt = ResultCode(rawValue: 11)
    package static let full = ResultCode(rawValue: 13)
    package static let cannotOpen = ResultCode(rawValue: 14)
    package static let tooBig = ResultCode(rawValue: 18)
    package static let constraint = ResultCode(rawValue: 19)
    package static let mismatch = ResultCode(rawValue: 20)
    package static let misuse = ResultCode(rawValue: 21)
    package static let notADatabase = ResultCode(rawValue: 26)
    package static let readOnlyRollback = ResultCode(rawValue: 8 | 3 << 8)
    package static let constraintPrimaryKey = ResultCode(rawValue: 19 | 6 << 8)
}
