import Reference

extension History {
    /// Of each step what it does, and what is so when it is done, as far as that can be planned.
    var stepFeatures: [[Feature]] {
        var (pipeline, loaded): (Pipeline, Set<Day>) = (pipelines[0], [])
        return steps.map { step in
            if case .pipeline(let new) = step.effect { pipeline = new }
            let features =
                names(of: step).map { Feature(History.group(of: $0), $0) } + [
                    Feature("log date", state(of: step.date(among: dates), pipeline, loaded)),
                    Feature("retention", pipelines[0].idDays != nil), Feature("window", "\(pipelines[0].windowDays)"),
                    Feature("damaged files fail", pipeline.failsOnDamagedFiles),
                ]
            if case .load(let command) = step.effect { loaded.formUnion(command.dates) }
            return features
        }
    }

    private static func group(of name: String) -> String {
        circumstances.contains(name) ? "circumstance" : options.contains(name) ? "option" : "step"
    }

    /// Of each step what it does, and what is done after it.
    var orderFeatures: [[Feature]] {
        let all = steps.map { names(of: $0) }
        var later: Set<String> = []
        return all.reversed().map { own in
            defer { later.formUnion(own) }
            return own.map { Feature("step", $0) } + later.map { Feature("later", $0) }
        }
    }

    /// Whether a log date is old enough to be closed, or to lose its ids.
    private func state(of date: Day?, _ pipeline: Pipeline, _ loaded: Set<Day>) -> String {
        guard let date else { return "none" }
        guard let ids = pipeline.idDays, let newest = loaded.filter(dates.contains).max() else { return "open" }
        let age = newest.number - date.number - (ids - 2 * pipeline.windowDays)
        return age < 0 ? "open" : age < 2 * pipeline.windowDays ? "to be closed" : "to be erased"
    }

    private func names(of step: HistoryStep) -> [String] {
        if case .pipeline(let pipeline) = step.effect { return ["pipeline, \(difference(of: pipeline))"] }
        return step.names
    }

    private func difference(of pipeline: Pipeline) -> String {
        let usual = pipelines[0]
        if pipeline.idDays == nil, usual.idDays != nil { return "without retention" }
        if pipeline.idDays != usual.idDays { return "longer retention" }
        if pipeline.windowDays != usual.windowDays { return "window" }
        if pipeline.timeZone != usual.timeZone { return "zone" }
        if pipeline.sources.count != usual.sources.count { return "fewer sources" }
        if pipeline.sources.map(\.name) != usual.sources.map(\.name) { return "order" }
        return pipeline.sources == usual.sources ? "as at first" : "mcId"
    }
}

extension HistoryStep {
    /// The log date that it is about; nil if there is none, or several.
    fileprivate func date(among dates: [Day]) -> Day? {
        switch effect {
        case .partition(let date, _): return date
        case .load(let command): return command.givenUp ?? (command.dates.count == 1 ? command.dates[0] : nil)
        case .inputs, .otherFile:
            let own = dates.filter { shell.contains("/\($0)") }
            return own.count == 1 ? own[0] : nil
        case .rotation, .pipeline, .push, .caches, .look: return nil
        }
    }

    /// What it does, such as `partition, damaged`, and what else is so of a load.
    fileprivate var names: [String] {
        switch effect {
        case .inputs where shell.contains("older"): ["copy"]
        case .inputs: ["\(shell.contains("deliveries/") ? "deliveries" : "logs"), \(fault)"]
        case .rotation: ["rotation"]
        case .pipeline: ["pipeline"]
        case .push: ["push.db, \(fault)"]
        case .partition: ["partition, \(["rows", "definitions"].contains(fault) ? "content" : fault)"]
        case .caches: ["cache, \(fault)"]
        case .otherFile: ["\(shell.contains("whole") ? "settled date" : "other file"), \(fault)"]
        case .load(let command): command.names
        case .look(let command): ["look, \(command.arguments.prefix { $0 != " " })"]
        }
    }

    /// What becomes of a file: its first word that says so tells.
    private var fault: String {
        if shell.contains("many ") { return "many" }
        if shell.contains("-journal") || shell.contains("-wal") || shell.contains("-shm") { return "unfinished" }
        if shell.contains("printf 'PK") { return "of another kind" }
        if shell.contains("mkdir -p deliveries") { return "written" }
        if shell.contains("mkdir -p logs"), shell.contains("{ ") {
            return shell.contains("gzip") ? "packed" : "written"
        }
        if shell.contains("sqlite_master") { return "definitions" }
        var text = shell[...]
        // What comes before is not the file's own: another file is taken away, or it is kept for later.
        for mark in [".db; ", "whole && { "] {
            if let range = text.firstRange(of: mark), mark != ".db; " || text.hasPrefix("rm ") {
                text = text[range.upperBound...]
            }
        }
        for word in text.split(separator: " ") {
            if let fault = HistoryStep.faults[word.filter { !"'\"".contains($0) }] { return fault }
        }
        return "unknown"
    }

    private static let faults: [String: String] = [
        "rm": "lost", ":": "damaged", "cut_to": "damaged", "flip": "damaged", "flip_at": "damaged", "zero": "damaged",
        "dd": "damaged", "sed": "damaged", "truncate": "damaged", "echo": "overwritten", "printf": "overwritten",
        "yes": "overwritten", "replace": "of another kind", "ln": "of another kind", "mkdir": "of another kind",
        "mkfifo": "of another kind", "mv": "exchanged", "cp": "exchanged", "swap": "exchanged",
        "hot_header": "unfinished", "crashed_sql": "unfinished", "update": "rows", "insert": "rows", "delete": "rows",
        "alter": "definitions", "drop": "definitions", "create": "added to", "pragma": "the same", "vacuum": "the same",
        "analyze": "the same", "touch": "the same", "gzip": "the same", "gunzip": "the same", "sqlite3": "the same",
    ]
}

extension LoadingCommand {
    fileprivate var names: [String] {
        let kind =
            givenUp != nil
            ? "give up" : arguments.contains("--catch-up") ? "catch up" : String(arguments.prefix { $0 != " " })
        let only = arguments.firstRange(of: "--only ").map { arguments[$0.lowerBound...] } ?? ""
        var names = [kind + (only.isEmpty ? "" : " \(only)")]
        switch circumstance {
        case .undisturbed: break
        case .killed, .killedAt: names.append("killed")
        case .read: names.append("while read")
        case .locked: names.append("while locked")
        case .beside: names.append("beside another")
        case .clock: names.append("on another day")
        }
        if isForced { names.append("forced") }
        if settles { names.append("settling") }
        return names
    }
}

extension History {
    private typealias Choice = FeatureRule.Choice

    private static let loads =
        ["run", "catch up", "backfill"]
        + ["all", "held", "missing", "partial", "stale"].map { "backfill --only \($0)" }
    private static let circumstances = ["killed", "while read", "while locked", "beside another", "on another day"]
    private static let options = ["forced", "settling"]
    private static let looks = ["doctor", "explain", "export", "rejects", "report", "status"].map { "look, \($0)" }
    private static let ofSettled = ["damaged", "exchanged", "lost", "of another kind"].map { "settled date, \($0)" }
    private static let ofRetention =
        ofSettled + ["give up", "pipeline, longer retention", "pipeline, without retention"]

    /// What touches a log date, or several.
    private static let ofDates =
        ["damaged", "exchanged", "lost", "of another kind", "content", "the same", "unfinished"].map {
            "partition, \($0)"
        }
        + ["damaged", "exchanged", "lost", "many", "of another kind", "packed", "the same", "written"].map {
            "logs, \($0)"
        }
        + ["damaged", "lost", "of another kind", "overwritten"].map { "other file, \($0)" }

    private static let ofNoDate =
        ["damaged", "exchanged", "lost", "of another kind"].map { "cache, \($0)" }
        + ["lost", "overwritten", "written"].map { "deliveries, \($0)" }
        + ["as at first", "fewer sources", "mcId", "order", "window", "zone"].map { "pipeline, \($0)" }
        + [
            "added to", "damaged", "definitions", "exchanged", "lost", "of another kind", "overwritten", "rows",
            "the same",
            "unfinished",
        ].map { "push.db, \($0)" } + ["copy", "rotation"] + looks

    private static let allSteps = loads + ofDates + ofNoDate + ofRetention

    static let stepGroups = [
        FeatureGroup("step", allSteps), FeatureGroup("circumstance", circumstances, has: .oneAtMost),
        FeatureGroup("option", options, has: .several),
        FeatureGroup("log date", ["none", "open", "to be closed", "to be erased"]), FeatureGroup("retention"),
        FeatureGroup("window", ["0", "1", "2", "3", "7"]), FeatureGroup("damaged files fail"),
    ]

    static let stepRules: [FeatureRule] = [
        .only(Choice("step", all: ofRetention), with: Choice("retention", "yes"), because: "it is about closing"),
        .only(Choice("option", "settling"), with: Choice("retention", "yes"), because: "it closes"),
        .only(Choice("circumstance", "on another day"), with: Choice("retention", "yes"), because: "the day limits it"),
        .only(
            Choice("log date", "to be closed", "to be erased"), with: Choice("retention", "yes"),
            because: "others stay open"),
        .only(Choice("window", "7"), with: Choice("retention", "no"), because: "a history would be too short"),
        .never(Choice("window", "0"), with: Choice("log date", "to be closed"), because: "it is erased at once"),
        .only(Choice("circumstance"), with: Choice("step", all: loads), because: "giving up is not disturbed"),
        .only(Choice("option"), with: Choice("step", all: loads + ["give up"]), because: "of loads"),
        .only(Choice("step", all: ofNoDate), with: Choice("log date", "none"), because: "it is of all log dates"),
        .only(
            Choice(
                "step",
                all: loads.filter { $0 != "run" } + ["pipeline, longer retention", "pipeline, without retention"]),
            with: Choice("log date", "none"), because: "it is of all log dates"),
        .never(
            Choice(
                "step", all: ["give up"] + ofDates.filter { $0 != "logs, exchanged" && !$0.hasPrefix("other file") }),
            with: Choice("log date", "none"), because: "it is of one"),
        .never(Choice("step", "pipeline, window"), with: Choice("window", "0"), because: "it makes the window 0"),
    ]

    static let orderGroups = [
        FeatureGroup("step", allSteps + circumstances + options, has: .any),
        FeatureGroup("later", allSteps + circumstances + options, has: .any),
    ]

    static let orderRules: [FeatureRule] = []
}
