extension GeneratedCase {
    /// What each load of a log file has, told by what was made.
    package var features: [[Feature]] {
        steps.indices.flatMap { index -> [[Feature]] in
            let step = steps[index]
            let common = step.pipeline.features + step.dayFeatures + loadFeatures(of: index)
            return step.inputs.compactMap { input in
                // Reading a line of 1 MiB takes the reference minutes. `DifferentialTests` has such lines.
                if Unpacked(input.bytes).beginning.count > longestLine { return nil }
                guard let source = step.pipeline.sources.first(where: { $0.name == input.source }) else { return nil }
                let reading = Reading(source: source, pipeline: step.pipeline, logDate: step.logDate)
                let isAlone = step.inputs.count { $0.source == source.name } == 1
                return common + source.features + source.payloadFeatures + reading.features(of: input)
                    + [Feature("files", isAlone ? "one" : "several")]
            }
        }
    }

    /// What is loaded, and after what.
    private func loadFeatures(of index: Int) -> [Feature] {
        let (step, former) = (steps[index], steps[..<index])
        let same = former.last { $0.logDate == step.logDate }
        let load =
            switch same {
            case nil: "first"
            case let same? where same.pipeline != step.pipeline: "other pipeline"
            case let same? where same.inputs.map(\.bytes) != step.inputs.map(\.bytes): "other files"
            default: "again"
            }
        let others = former.map(\.logDate).filter { $0 != step.logDate }
        let nearest = others.map { abs($0.number - step.logDate.number) }.min()
        return [
            Feature("load", load), Feature("forced", step.force), Feature("with defaults", step.writesDefaults),
            Feature("out of order", others.contains { $0 > step.logDate }),
            Feature("neighbour", nearest.map { $0 > step.pipeline.windowDays ? "out of reach" : "in reach" } ?? "none"),
            Feature("hidden file", !step.decoys.isEmpty),
        ]
    }

    static let loadGroups = [
        FeatureGroup("load", ["first", "other pipeline", "other files", "again"]), FeatureGroup("forced"),
        FeatureGroup("with defaults"), FeatureGroup("out of order"),
        FeatureGroup("neighbour", ["none", "in reach", "out of reach"]), FeatureGroup("hidden file"),
        FeatureGroup("files", ["one", "several"]),
        FeatureGroup("day", ["24 hours", "23 hours", "25 hours", "another length", "left out"]),
    ]
}

extension GeneratedCase.Step {
    fileprivate var dayFeatures: [Feature] {
        let zone = Zone(pipeline.timeZone)
        let seconds = zone.start(of: Day(number: logDate.number + 1)) - zone.start(of: logDate)
        let length =
            switch seconds {
            case 0: "left out"
            case 82_800, 86_400, 90_000: "\(seconds / 3600) hours"
            default: "another length"
            }
        return [Feature("day", length)]
    }
}

extension Pipeline {
    fileprivate var features: [Feature] {
        let window =
            switch windowDays {
            case 0, 1: "\(windowDays)"
            case 2...7: "some days"
            default: "weeks"
            }
        let ratio = Double(rejectRatio) ?? 0
        return [
            Feature("window", window), Feature("reject ratio", ratio == 0 ? "0" : ratio < 1 ? "some" : "1"),
            Feature("damaged files fail", failsOnDamagedFiles),
            Feature("sources", sources.count == 1 ? "one" : "several"), Feature("deliveries", !deliveries.isEmpty),
        ]
    }

    static let featureGroups = [
        FeatureGroup("window", ["0", "1", "some days", "weeks"]), FeatureGroup("reject ratio", ["0", "some", "1"]),
        FeatureGroup("damaged files fail"), FeatureGroup("sources", ["one", "several"]), FeatureGroup("deliveries"),
    ]
}

extension Pipeline.Source {
    fileprivate var features: [Feature] {
        let names = layouts.map { layout in
            switch layout {
            case .nginx: "nginx"
            case .apache: "apache"
            default: layout.text
            }
        }
        let isPasted = layouts.contains { withoutPastedQuotes($0.text) != $0.text }
        let mapping = layoutFields["date"] != nil ? "a date" : layoutFields.isEmpty ? "none" : "some"
        return names.map { Feature("layout", $0) } + [
            Feature("format", format.rawValue), Feature("layouts", names.count == 1 ? "one" : "several"),
            Feature("pasted", isPasted), Feature("layout_fields", mapping), Feature("skip", !skip.isEmpty),
            Feature("unwrap", unwrap != nil), Feature("own zone", timeZone != nil), Feature("required", isRequired),
            Feature("id space", idSpace == "push" ? "push" : "other"),
            Feature("patterns", files.count == 1 ? "one" : "several"),
        ]
    }

    static let featureGroups = [
        FeatureGroup(
            "layout", ["nginx", "apache"] + Pipeline.Layout.named.map(\.text), has: .several),
        FeatureGroup("format", Pipeline.Format.allCases.map(\.rawValue)), FeatureGroup("layouts", ["one", "several"]),
        FeatureGroup("pasted"), FeatureGroup("layout_fields", ["none", "some", "a date"]), FeatureGroup("skip"),
        FeatureGroup("unwrap"), FeatureGroup("own zone"), FeatureGroup("required"),
        FeatureGroup("id space", ["push", "other"]), FeatureGroup("patterns", ["one", "several"]),
    ]

    /// Where a record's values are.
    fileprivate var payloadFeatures: [Feature] {
        let told = action != nil ? "one" : times.isEmpty ? "by code" : "by times"
        return [
            Feature("mcId", requiresMcid), Feature("action", told),
            Feature("platform field", fields["platform"] != nil),
            Feature("platform fixed", platform != nil),
            Feature("platforms", !platforms.isEmpty), Feature("id of several", !idParts.isEmpty),
            Feature("first of several", !otherPaths.isEmpty), Feature("require", !required.isEmpty),
            Feature("elements", elements != nil), Feature("own path", path == "/custom//path/"),
            Feature("names", fields.keys.contains(where: NamedDelivery.keys.contains)),
        ]
    }

    static let payloadGroups = [
        FeatureGroup("mcId"), FeatureGroup("action", ["by code", "one", "by times"]),
        FeatureGroup("platform field"), FeatureGroup("platform fixed"), FeatureGroup("platforms"),
        FeatureGroup("id of several"), FeatureGroup("first of several"), FeatureGroup("require"),
        FeatureGroup("elements"), FeatureGroup("own path"), FeatureGroup("names"),
    ]
}
