/// What became of the things that others have added to a push.db that was made anew, and of its history.
package struct ForeignCopy: Equatable, Sendable {
    /// Something that the new file does not have.
    package enum LeftOut: Equatable, Sendable {
        /// Its type and name, and why or with which SQL; empty if there is nothing to say.
        case object(String, String)
        /// Rows of a table; nil if their number is not known.
        case rows(of: String, count: Int?)
    }

    package struct Renaming: Equatable, Sendable {
        package let from: String
        package let to: String
    }

    /// What is only in the copy of the former file. Empty if that could not be read at all.
    package internal(set) var leftOut: [LeftOut] = []
    /// Tables and views of others whose names the schema takes.
    package internal(set) var renamed: [Renaming] = []
    /// Views of others that no longer fit the tables.
    package internal(set) var brokenViews: [String] = []
}
