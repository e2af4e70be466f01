import Records

/// What became of the records of one file, or of several together.
package struct FileTally: Sendable {
    /// The place of a record.
    package struct Place: Sendable {
        package let path: String
        package let line: Int
        /// Why the line does not fit its layout; empty where the reason says all.
        package let detail: String
    }

    /// The most rejects of one reason that are kept of a file.
    static let rejectsKept = 1000

    package internal(set) var records = 0
    package internal(set) var accepted = 0
    package internal(set) var clockFallback = 0
    private var filteredCounts = [Int](repeating: 0, count: FilterReason.allCases.count)
    private var rejectedCounts = [Int](repeating: 0, count: RejectReason.allCases.count)
    private var firstPlaces = [Place?](repeating: nil, count: RejectReason.allCases.count)

    package init() {}

    package var filtered: Int { filteredCounts.reduce(0, +) }
    package var rejected: Int { rejectedCounts.reduce(0, +) }

    package func count(_ reason: FilterReason) -> Int { filteredCounts[Int(reason.rawValue)] }
    package func count(_ reason: RejectReason) -> Int { rejectedCounts[Int(reason.rawValue)] }

    /// Where the first record of `reason` stands, in the order of the files.
    package func firstPlace(_ reason: RejectReason) -> Place? { firstPlaces[Int(reason.rawValue)] }

    @inline(__always)
    mutating func addFiltered(_ reason: FilterReason) {
        filteredCounts[Int(reason.rawValue)] &+= 1
    }

    mutating func addRejected(_ reason: RejectReason, path: String, line: Int, detail: String) {
        rejectedCounts[Int(reason.rawValue)] += 1
        if firstPlaces[Int(reason.rawValue)] == nil {
            firstPlaces[Int(reason.rawValue)] = Place(path: path, line: line, detail: detail)
        }
    }

    package static func += (total: inout FileTally, part: FileTally) {
        total.records += part.records
        total.accepted += part.accepted
        total.clockFallback += part.clockFallback
        for index in total.filteredCounts.indices { total.filteredCounts[index] += part.filteredCounts[index] }
        for index in total.rejectedCounts.indices {
            total.rejectedCounts[index] += part.rejectedCounts[index]
            if total.firstPlaces[index] == nil { total.firstPlaces[index] = part.firstPlaces[index] }
        }
    }
}
