/// Zones, with days on which their clocks change.
private let interestingDays = [
    ("Europe/Madrid", "2026-03-28"), ("Europe/Madrid", "2026-10-24"), ("America/New_York", "2026-03-07"),
    ("America/New_York", "2026-10-31"), ("Pacific/Apia", "2011-12-28"), ("Asia/Kolkata", "2025-12-30"),
    ("Africa/Cairo", "2024-04-25"), ("America/Sao_Paulo", "2018-11-03"), ("Asia/Kathmandu", "2024-02-28"),
    ("Australia/Lord_Howe", "2026-04-04"), ("UTC", "2026-11-19"), ("UTC", "2025-02-27"), ("Etc/GMT+12", "2026-11-19"),
    ("Europe/Lisbon", "2026-10-24"), ("America/Santiago", "2026-09-05"), ("Pacific/Kiritimati", "2026-01-01"),
    // Half an hour of summer time. A day that was left out. Offsets of half hours and of three quarters. Winter time as the
    // exception. Midnights that clocks never showed, and midnights that they showed twice.
    ("Australia/Lord_Howe", "2026-10-03"), ("Pacific/Apia", "2011-12-29"), ("Pacific/Kwajalein", "1993-08-20"),
    ("America/St_Johns", "2026-03-07"), ("Pacific/Chatham", "2026-09-26"), ("Pacific/Marquesas", "2026-11-19"),
    ("Asia/Pyongyang", "2018-05-04"), ("Asia/Tehran", "2022-03-21"), ("Europe/Dublin", "2026-03-28"),
    ("Europe/Dublin", "2026-10-24"), ("Africa/Casablanca", "2026-02-14"), ("America/Sao_Paulo", "2018-02-17"),
    ("Pacific/Apia", "2011-12-30"), ("Pacific/Kwajalein", "1993-08-21"), ("Asia/Beirut", "2026-03-28"),
    ("America/Havana", "2026-10-31"), ("Antarctica/Troll", "2026-03-28"),
    ("America/Caracas", "2016-04-30"), ("Asia/Gaza", "2026-03-27"),
]

/// - Parameter sources: so many, without CSV, half of them collectors; nil for a few.
func generatedPipeline(firstDay: inout Day, sources: Int? = nil, _ random: inout SplitMix64) -> Pipeline {
    var pipeline = Pipeline()
    let (zone, day) = random.pick(interestingDays)
    pipeline.timeZone = zone
    firstDay = Day(day) ?? firstDay
    pipeline.windowDays = random.pick([0, 1, 2, 3, 7, 30, 40])
    pipeline.rejectRatio = random.pick(["1", "1", "1", "1.0", "0.5", "0.05", "0.1", "0"])
    // The last two differ in their bytes alone.
    let others = pipeline.windowDays < 3 ? ["push", "other"] : ["caf\u{E9}", "cafe\u{301}"]
    let spaces = random.chance(60) ? ["push"] : others
    let names =
        if let sources {
            (1...sources).map { "source\($0)" }
        } else {
            Array(["adobe", "momo", "braze", "edge"].prefix(random.number(1...4)))
        }
    for name in names {
        let format: Pipeline.Format =
            switch name {
            case _ where sources != nil: random.chance(50) ? .collector : random.pick(Pipeline.Format.allCases)
            case "adobe": random.chance(70) ? .collector : random.pick(Pipeline.Format.allCases)
            case "momo": .mzip
            case "braze": .usersTrack
            default: random.pick(Pipeline.Format.allCases + [.events, .events])
            }
        var source = Pipeline.Source(name: name, format: format, files: "")
        source.isRequired = random.chance(70)
        source.idSpace = random.pick(spaces)
        switch format {
        case .collector:
            source.layout = GeneratedLayouts.collector(&random)
            source.requiresMcid = random.chance(25)
            if random.chance(20) { source.actions = Pipeline.Source.campaignClassic }
            if random.chance(15) { source.actions.merge(["9": "arrival", "0": "zero_0"]) { $1 } }
        case .mzip:
            source.layout = GeneratedLayouts.payload(&random)
            if random.chance(50) { source.platform = random.pick(["ios", "android", "web"]) }
            if random.chance(30) { source.actions = ["1": "arrival", "2": "impression", "x y": "click"] }
            if random.chance(20) { source.fields["platform"] = "log_content.data.platform" }
            if random.chance(10) { source.fields["broadlog_id"] = "id" }
        case .usersTrack:
            source.layout = GeneratedLayouts.payload(&random)
            source.actions = ["push_impression": "impression", "push_click": "click", "push_open": "open"]
            if random.chance(20) { source.actions["7"] = "arrival" }
            if random.chance(30) { source.actions.merge(["push_sent": "sent", "push_failed": "failed"]) { $1 } }
            if random.chance(20) { source.platform = random.pick(["ios", "android"]) }
        case .events: source.mapEvents(&random)
        }
        if format != .collector {
            source.mapParts(&random)
            source.mapOthers(&random)
        }
        if format == .events, source.layout == .body, sources == nil, random.chance(60) {
            (source.layout, source.elements) = (.csv, nil)
        }
        source.layoutFields = GeneratedLayouts.jsonFields(source.layout, &random)
        if ![.w3c, .cloudfront].contains(source.layout), random.chance(15) {
            source.timeZone = random.pick(interestingDays).0
        }
        let mayBeWrapped = ![.usersTrack, .events].contains(format) || ![.body, .csv].contains(source.layout)
        if mayBeWrapped, random.chance(10) {
            source.unwrap = "log"
        }
        if format != .collector, ![.body, .csv].contains(source.layout), random.chance(20) {
            source.path = "/custom//path/"
        }
        pipeline.sources.append(source)
    }
    pipeline.sources = random.shuffle(pipeline.sources)
    return pipeline
}

/// The pipeline with another zone, window or order of sources, or with one source less.
func changed(_ pipeline: Pipeline, _ random: inout SplitMix64) -> Pipeline {
    var pipeline = pipeline
    switch random.below(4) {
    case 0: pipeline.timeZone = random.pick(interestingDays).0
    case 1: pipeline.windowDays = random.pick([0, 1, 5, 30])
    case 2: pipeline.sources.reverse()
    default: if pipeline.sources.count > 1 { pipeline.sources.removeLast() }
    }
    return pipeline
}

extension Pipeline.Source {
    /// What some vendor's events are called.
    fileprivate mutating func mapEvents(_ random: inout SplitMix64) {
        layout = GeneratedLayouts.payload(&random)
        path = "/hooks/events"
        fields = [
            "broadlog_id": "message.id", "delivery_id": random.pick(["message.campaign", "campaign"]),
            "action": random.pick(["event.kind", "type"]), "time": random.pick(["event.timestamp", "occurred"]),
        ]
        if random.chance(60) { fields["platform"] = "event.device" }
        if random.chance(20) { fields["tracking"] = "tracking" }
        actions = ["message.push.received": "arrival", "message.push.clicked": "open", "7": "impression"]
        if random.chance(60) { actions["message.push.sent"] = "sent" }
        if random.chance(40) { actions["8"] = "failed" }
        if random.chance(40) { actions["message.push.tapped"] = "click" }
        if random.chance(60) { elements = random.pick(["events", "batch.items"]) }
        if random.chance(20) { platform = random.pick(["ios", "web"]) }
    }

    /// Sometimes several paths of a value, names with dots, values that must be there, and other ways to tell the action.
    fileprivate mutating func mapOthers(_ random: inout SplitMix64) {
        if format == .events {
            if random.chance(25) { fields["action"] = random.pick(["\"event.kind\"", "\"event.kind\".\"of\""]) }
            if random.chance(25) { required = random.pick([["message.id"], ["tags", "\"event.source\".id"]]) }
            if random.chance(30) {
                let all = [
                    Pipeline.TimedAction("sent", "sent_at"), Pipeline.TimedAction("open", "\"opened.at\".time"),
                    Pipeline.TimedAction("arrival", "seen.at"), Pipeline.TimedAction("impression", "shown.at"),
                    Pipeline.TimedAction("click", "\"clicked.at\""), Pipeline.TimedAction("failed", "failed_at"),
                ]
                times = Array(random.shuffle(all).prefix(random.number(1...3)))
            }
        }
        for key in NamedDelivery.keys where random.chance(format == .events ? 40 : 10) {
            fields[key] = random.pick(["names.\(key)", "message.name", key])
        }
        if times.isEmpty, random.chance(20) {
            action = random.pick(["open", "arrival", "impression", "click", "sent", "failed", "other", "other"])
        }
        for path in fields.values.sorted() + idParts where random.chance(12) {
            otherPaths[path] = random.pick([
                ["canvas.id"], ["\"canvas.id\"", "group.id"], ["a", "b", "c"], ["caf\u{E9}.id", "cafe\u{301}.id"],
            ])
        }
    }

    /// Sometimes ids of several values, and other words for platforms.
    fileprivate mutating func mapParts(_ random: inout SplitMix64) {
        if random.chance(format == .events ? 50 : 10), let id = fields["broadlog_id"] {
            let device = id.split(separator: ".").dropLast().map { "\($0)." }.joined() + "device"
            idParts = random.pick([[id], [id, "user.id"], ["user.id", id, device]])
            fields["broadlog_id"] = nil
        }
        if random.chance(format == .events ? 50 : 10) {
            platforms = random.pick([["Chrome": "web", "1": "ios"], ["IOS": "web", "kindle": "android"]])
        }
    }
}
