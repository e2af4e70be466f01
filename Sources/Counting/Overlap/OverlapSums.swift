import Events

/// What other partitions change in a partition's figures, in the partition's own numbers: a message that they have too
/// may have events here that do not count, and may be first seen, or go further, elsewhere. Where figures are corrected
/// that know some of the others already, what those change is taken away again.
struct Corrections: Sendable {
    /// Events of a row that do not count.
    struct NotCounting: Sendable {
        var events = 0
        /// The earliest and latest of them.
        var first = Int64.max
        var last = Int64.min
    }

    /// By row of daily_actions.
    private(set) var notCounting = PackedTable<NotCounting>()
    /// To be added to the funnel; below 0 where messages go to another row.
    private(set) var funnel = DailyFunnel()
    /// The places in the partition, in no order, of the events that do not count.
    private(set) var places: [Int] = []
    /// The sum of their hashes.
    private(set) var placesHash: UInt64 = 0

    @inline(__always)
    mutating func addNotCounting(_ event: Event, day: Int32, place: Int) {
        let row = notCounting.place(of: PackedKey(event, day: day), initial: NotCounting())
        notCounting.update(row) { sum in
            sum.events &+= 1
            sum.first = min(sum.first, event.time)
            sum.last = max(sum.last, event.time)
        }
        places.append(place)
        placesHash &+= EventSet.hash(place)
    }

    /// Takes an event away again that did not count before either.
    mutating func removeNotCounting(_ event: Event, day: Int32, place: Int) {
        let row = notCounting.place(of: PackedKey(event, day: day), initial: NotCounting())
        notCounting.update(row) { $0.events &-= 1 }
        placesHash &-= EventSet.hash(place)
    }

    @inline(__always)
    mutating func addMessages(_ messages: Int, first event: Event, day: Int32, stages: Stages) {
        funnel.add(
            day: day, platform: event.platform, delivery: event.delivery, stages: stages, messages: messages)
    }

    /// Whether they change nothing in daily_actions; what is taken away again may be all.
    var leavesDaily: Bool { notCounting.entries.allSatisfy { $0.value.events == 0 } }

    var isEmpty: Bool { notCounting.entries.isEmpty && funnel.table.entries.isEmpty }

    /// Takes over all but the places themselves.
    mutating func merge(_ other: Corrections) {
        for entry in other.notCounting.entries {
            let row = notCounting.place(of: entry.key, initial: NotCounting())
            notCounting.update(row) { sum in
                sum.events &+= entry.value.events
                sum.first = min(sum.first, entry.value.first)
                sum.last = max(sum.last, entry.value.last)
            }
        }
        funnel.merge(other.funnel)
        placesHash &+= other.placesHash
    }
}
