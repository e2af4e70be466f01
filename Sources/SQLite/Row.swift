/// A copy of a row.
package struct Row: Sendable {
    package let columnNames: [String]
    package let databaseValues: [DatabaseValue]

    package var count: Int { databaseValues.count }

    package subscript(_ index: Int) -> DatabaseValue { databaseValues[index] }

    /// - Throws: if the value has another type.
    package func decode<T: DatabaseValueConvertible>(_: T.Type, atIndex index: Int) throws -> T {
        guard let value = T(databaseValues[index]) else {
            throw ValueTypeError()
        }
        return value
    }
}
