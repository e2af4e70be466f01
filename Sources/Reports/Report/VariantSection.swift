import Messages

extension PageSection {
    /// The campaigns of the chart of variants.
    private static let mostCampaigns = 6

    /// The variants of each campaign side by side.
    static func variants(of deliveries: [DeliveryResult]) -> PageSection {
        let comparisons = VariantComparison.all(of: deliveries)
        let nothing =
            "No campaign has two variants that began in this period, on complete log dates, of which it is known how many "
            + "were sent, and that did not fail."
        return PageSection("variants", title: "Variants side by side", nothing: comparisons.isEmpty ? nothing : nil) {
            let differing = comparisons.count(where: \.differs)
            Figure(
                id: "variants-chart", title: "Opened of sent by campaign and variant",
                summary: "In \(differing) of \(Text.plural(comparisons.count, of: "campaign")) the variants differ.",
                note: note(on: comparisons), chart: chart(of: comparisons), table: table(of: comparisons))
        }
    }

    private static func note(on comparisons: [VariantComparison]) -> String {
        let left = comparisons.reduce(0) { $0 + $1.left }
        return "Opened of sent with its 95 % interval. Variants differ where the best and the worst of "
            + "\(NumberText.exact(VariantComparison.least)) sent or more are further apart than the scatter between "
            + "deliveries makes them: z is 3 or more, and higher where there are few deliveries. "
            + "A variant that was sent later had less time to be opened."
            + (left > 0
                ? " Left out are deliveries that failed, began before, or are known in part: \(NumberText.exact(left))."
                : "")
            + (comparisons.count > mostCampaigns
                ? " Shown are \(mostCampaigns) of \(NumberText.exact(comparisons.count)) campaigns; the table has all."
                : "")
    }

    private static func chart(of comparisons: [VariantComparison]) -> IntervalChart {
        IntervalChart(
            groups: comparisons.prefix(mostCampaigns).map { comparison in
                (
                    comparison.campaign + (comparison.differs ? ": differ" : ""),
                    comparison.variants.map { ($0.name, $0.opened) }
                )
            })
    }

    private static func table(of comparisons: [VariantComparison]) -> DataTable {
        let rows = comparisons.flatMap { comparison in
            comparison.variants.enumerated().map { index, variant in
                (campaign: comparison.campaign, variant: variant, z: index == 0 ? comparison.z : nil)
            }
        }
        return DataTable(
            "variants", of: rows,
            columns: [
                .markup("campaign") { Markup.name($0.campaign) },
                .markup("variant") { Markup.name($0.variant.name) },
                .count("deliveries") { $0.variant.deliveries.count },
                .count("sent") { $0.variant.opened.whole },
                .count("opened") { $0.variant.opened.part },
                .rate("of sent") { $0.variant.opened.rate },
                .number("95 % interval") { NumberText.interval($0.variant.opened.interval) },
                .number("z") { $0.z.map { NumberText.decimal($0, places: 1) } ?? "" },
            ])
    }
}
