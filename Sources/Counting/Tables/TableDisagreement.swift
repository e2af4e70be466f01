/// Two daily tables with different sums, which is a fault of the program.
package struct TableDisagreement: Error, Equatable, Sendable {
    /// Days since 1970-01-01.
    package let day: Int32
    package let tables: [String]
}
