/// When each record of a file is written: more by day than by night.
struct Clock: Sendable {
    let start: Int
    let end: Int
    private let firstOfHour: [Int]

    /// A day as the file sees it, in milliseconds: hosts turn their logs over a little after midnight.
    init(plan: Plan, file: Plan.File) {
        let turn = file.index * 137 % 600
        start = (plan.zone.start(of: file.date) + turn) * 1000
        end = (plan.zone.start(of: file.date + 1) + turn) * 1000
        let total = Self.weights.reduce(0, +)
        var sum = 0
        var firstOfHour = [0]
        for weight in Self.weights {
            sum += weight
            firstOfHour.append(file.records * sum / total)
        }
        self.firstOfHour = firstOfHour
    }

    private static let weights = [
        9, 6, 4, 3, 3, 4, 8, 16, 24, 28, 30, 32, 34, 36, 32, 28, 28, 30, 36, 42, 46, 40, 26, 15,
    ]

    /// The time of the record at `index`, in milliseconds; `hour` is a memory between calls in order.
    func time(of index: Int, hour: inout Int) -> Int {
        while hour < 23, index >= firstOfHour[hour + 1] { hour += 1 }
        let first = firstOfHour[hour]
        let count = max(1, firstOfHour[hour + 1] - first)
        let length = (end - start) / 24
        return start + hour * length + (index - first) * length / count
    }
}
