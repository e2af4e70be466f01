/// The figures that an ETL must arrive at, by the plainest logic: all records of all dates in memory, in dictionaries.
struct Truth {
    /// The order of the contract: time, source, delivery, platform, log date; texts by their bytes.
    static func precedes(_ left: Hit, _ right: Hit) -> Bool {
        if left.time != right.time { return left.time < right.time }
        if left.source != right.source { return left.source < right.source }
        if left.delivery != right.delivery { return bytesPrecede(left.delivery, right.delivery) }
        if left.platform != right.platform { return bytesPrecede(left.platform.rawValue, right.platform.rawValue) }
        return left.date < right.date
    }

    /// The same among the events of a message, whatever their action.
    static func precedesInMessage(_ left: Hit, _ right: Hit) -> Bool {
        if left.time != right.time { return left.time < right.time }
        if left.source != right.source { return left.source < right.source }
        if left.delivery != right.delivery { return bytesPrecede(left.delivery, right.delivery) }
        if left.platform != right.platform { return bytesPrecede(left.platform.rawValue, right.platform.rawValue) }
        if left.action != right.action { return bytesPrecede(left.action, right.action) }
        return left.date < right.date
    }

    private static func bytesPrecede(_ left: String, _ right: String) -> Bool {
        left.utf8.lexicographicallyPrecedes(right.utf8)
    }

    /// The first record of a (message, action) on a log date, and how many there were.
    struct Event {
        var hit: Hit
        var records: Int
    }

    struct Partition {
        var date: Day
        var files = 0
        var counts: [String: [Meaning: Int]] = [:]
        var clockFallbacks = 0
        var events: [Key: Event] = [:]

        func records(_ outcome: String) -> Int {
            counts.values.reduce(0) { sum, bySource in
                sum + bySource.reduce(0) { $0 + ($1.key.outcome == outcome ? $1.value : 0) }
            }
        }
    }

    struct Key: Hashable {
        var message: String
        var action: String
    }

    struct ActionsKey: Hashable {
        var day: Day
        var source: String
        var platform: String
        var delivery: String
        var action: String
    }

    struct Actions {
        var events = 0
        var duplicates = 0
    }

    struct HourKey: Hashable {
        var day: Day
        /// 0 to 23.
        var hour: Int
        /// The instant, in seconds, at which the clocks last showed a full hour.
        var start: Int
        var source: String
        var platform: String
        var action: String
    }

    struct LatenessKey: Hashable {
        var day: Day
        var date: Day
        var source: String
    }

    struct Counts {
        var events = 0
        var duplicates = 0
    }

    struct FunnelKey: Hashable {
        var day: Day
        var platform: String
        var delivery: String
    }

    struct Funnel {
        var messages = 0
        var arrived = 0
        var impressed = 0
        var clicked = 0
        var opened = 0
        var dismissed = 0
        var openedWithoutClick = 0
        var openedWithoutImpression = 0
        var openedImpressed = 0
        /// Milliseconds from the first event to the open, of messages that arrived or were impressed.
        var delays: [Int] = []
    }

    struct PathKey: Hashable {
        var day: Day
        var platform: String
        /// In the order of `pathActions`.
        var happened: [Bool]
    }

    static let pathActions = ["arrival", "impression", "click", "open"]

    private let plan: Plan
    private(set) var partitions: [Partition] = []
    private(set) var actions: [ActionsKey: Actions] = [:]
    private(set) var hours: [HourKey: Counts] = [:]
    private(set) var lateness: [LatenessKey: Counts] = [:]
    private(set) var funnels: [FunnelKey: Funnel] = [:]
    private(set) var paths: [PathKey: Int] = [:]
    /// What the delivery file names, by id.
    let named: [String: NamedDelivery]

    init(plan: Plan, files: [FileTruth], deliveries: [NamedDelivery] = []) {
        self.plan = plan
        named = Dictionary(uniqueKeysWithValues: deliveries.map { ($0.id, $0) })
        for date in plan.dates {
            partitions.append(Self.partition(date, of: files.filter { $0.file.date == date }))
        }
        countActions()
        countMessages()
    }

    private static func partition(_ date: Day, of files: [FileTruth]) -> Partition {
        var partition = Partition(date: date)
        for file in files {
            partition.files += 1
            partition.clockFallbacks += file.clockFallbacks
            for meaning in Meaning.allCases where file.counts[meaning.rawValue] > 0 {
                let source = file.file.kind.source
                partition.counts[source, default: [:]][meaning, default: 0] += file.counts[meaning.rawValue]
            }
            for hit in file.hits {
                let key = Key(message: hit.message, action: hit.action)
                if var event = partition.events[key] {
                    if precedes(hit, event.hit) { event.hit = hit }
                    event.records += 1
                    partition.events[key] = event
                } else {
                    partition.events[key] = Event(hit: hit, records: 1)
                }
            }
        }
        return partition
    }

    private func reach(_ left: Day, _ right: Day) -> Bool {
        abs(left.number - right.number) <= plan.windowDays
    }

    private func day(of hit: Hit) -> Day {
        plan.zone.day(at: floorDivide(hit.time, 1000))
    }

    private mutating func countActions() {
        var byKey: [Key: [Event]] = [:]
        for partition in partitions {
            for (key, event) in partition.events { byKey[key, default: []].append(event) }
        }
        for (key, events) in byKey {
            for event in events {
                let hit = event.hit
                let counts = !events.contains { reach($0.hit.date, hit.date) && Self.precedes($0.hit, hit) }
                let row = ActionsKey(
                    day: day(of: hit), source: plan.kinds[hit.source].source, platform: hit.platform.rawValue,
                    delivery: hit.delivery, action: key.action)
                var actions = self.actions[row] ?? Actions()
                actions.events += counts ? 1 : 0
                actions.duplicates += event.records - (counts ? 1 : 0)
                self.actions[row] = actions
                let seconds = floorDivide(hit.time, 1000)
                let shown = seconds + plan.zone.offset(at: seconds)
                let hour = HourKey(
                    day: row.day, hour: floorDivide(shown, 3600) - row.day.number * 24,
                    start: seconds - (shown - floorDivide(shown, 3600) * 3600), source: row.source,
                    platform: row.platform, action: row.action)
                let late = LatenessKey(day: row.day, date: hit.date, source: row.source)
                hours[hour, default: Counts()].events += counts ? 1 : 0
                hours[hour, default: Counts()].duplicates += event.records - (counts ? 1 : 0)
                lateness[late, default: Counts()].events += counts ? 1 : 0
                lateness[late, default: Counts()].duplicates += event.records - (counts ? 1 : 0)
            }
        }
    }

    private mutating func countMessages() {
        var byMessage: [String: [Hit]] = [:]
        for partition in partitions {
            for (key, event) in partition.events { byMessage[key.message, default: []].append(event.hit) }
        }
        for hits in byMessage.values {
            for hit in hits {
                let within = hits.filter { reach($0.date, hit.date) }
                guard !within.contains(where: { Self.precedesInMessage($0, hit) }) else { continue }
                let actions = Set(within.map(\.action))
                let row = FunnelKey(day: day(of: hit), platform: hit.platform.rawValue, delivery: hit.delivery)
                var funnel = funnels[row] ?? Funnel()
                funnel.messages += 1
                funnel.arrived += actions.contains("arrival") ? 1 : 0
                funnel.impressed += actions.contains("impression") ? 1 : 0
                funnel.clicked += actions.contains("click") ? 1 : 0
                funnel.opened += actions.contains("open") ? 1 : 0
                funnel.dismissed += actions.contains("click") && !actions.contains("open") ? 1 : 0
                funnel.openedWithoutClick += actions.contains("open") && !actions.contains("click") ? 1 : 0
                funnel.openedWithoutImpression += actions.contains("open") && !actions.contains("impression") ? 1 : 0
                funnel.openedImpressed += actions.contains("open") && actions.contains("impression") ? 1 : 0
                let opens = within.filter { $0.action == "open" }.map { $0.time - hit.time }
                if let open = opens.min(), actions.contains("arrival") || actions.contains("impression") {
                    funnel.delays.append(open)
                }
                funnels[row] = funnel
                let path = PathKey(
                    day: row.day, platform: row.platform, happened: Self.pathActions.map(actions.contains))
                paths[path, default: 0] += 1
            }
        }
    }
}
