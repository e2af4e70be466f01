/// The months that an export writes. A month is a text such as `2026-11`; nil is no limit.
package struct ExportMonths: Equatable, Sendable {
    package let first: String?
    package let last: String?

    package init(first: String? = nil, last: String? = nil) {
        self.first = first
        self.last = last
    }

    var isLimited: Bool { first != nil || last != nil }

    func contains(_ month: String) -> Bool {
        (first.map { month >= $0 } ?? true) && (last.map { month <= $0 } ?? true)
    }

    var text: String {
        switch (first, last) {
        case (let first?, let last?): first == last ? "in \(first)" : "from \(first) to \(last)"
        case (let first?, nil): "from \(first) on"
        case (nil, let last?): "up to \(last)"
        case (nil, nil): "at all"
        }
    }
}
