/// A type whose values SQLite stores.
package protocol DatabaseValueConvertible {
    var databaseValue: DatabaseValue { get }
    /// Nil if the value has another type. SQLite's own conversions are not used.
    init?(_ value: DatabaseValue)
}

extension DatabaseValue: DatabaseValueConvertible {
    package var databaseValue: DatabaseValue { self }
    package init?(_ value: DatabaseValue) { self = value }
}

extension Int64: DatabaseValueConvertible {
    package var databaseValue: DatabaseValue { .int64(self) }
    package init?(_ value: DatabaseValue) {
        guard case .int64(let number) = value else { return nil }
        self = number
    }
}

extension Int: DatabaseValueConvertible {
    package var databaseValue: DatabaseValue { .int64(Int64(self)) }
    package init?(_ value: DatabaseValue) {
        guard case .int64(let number) = value else { return nil }
        self.init(number)
    }
}

extension Double: DatabaseValueConvertible {
    package var databaseValue: DatabaseValue { .double(self) }
    package init?(_ value: DatabaseValue) {
        switch value {
        case .double(let number): self = number
        case .int64(let number): self = Double(number)
        default: return nil
        }
    }
}

extension String: DatabaseValueConvertible {
    package var databaseValue: DatabaseValue { .string(self) }
    package init?(_ value: DatabaseValue) {
        guard case .string(let text) = value else { return nil }
        self = text
    }
}

extension [UInt8]: DatabaseValueConvertible {
    package var databaseValue: DatabaseValue { .blob(self) }
    package init?(_ value: DatabaseValue) {
        guard case .blob(let bytes) = value else { return nil }
        self = bytes
    }
}

extension Optional: DatabaseValueConvertible where Wrapped: DatabaseValueConvertible {
    package var databaseValue: DatabaseValue { self?.databaseValue ?? .null }
    package init?(_ value: DatabaseValue) {
        if case .null = value {
            self = .none
        } else if let wrapped = Wrapped(value) {
            self = wrapped
        } else {
            return nil
        }
    }
}

extension [DatabaseValue] {
    /// The values of a row.
    package static func of(_ values: any DatabaseValueConvertible...) -> [DatabaseValue] { values.map(\.databaseValue) }
}
