/// The variants of each campaign side by side.
struct VariantSection {
    /// The campaigns of the chart.
    private static let most = 6

    private let comparisons: [VariantComparison]

    init(context: PageContext) {
        comparisons = VariantComparison.all(context.figures.now.deliveries)
    }

    var markup: Markup {
        .section("variants", "Variants side by side") {
            if comparisons.isEmpty {
                Markup.paragraph(
                    "No campaign has two variants that began in this period, on complete log dates, and whose delivery file "
                        + "says how many were sent."
                )
            } else {
                chart.figure("variants-chart", width: 1040, note: note, table: table)
            }
        }
    }

    private var note: String {
        "Opened of sent with its 95 % interval. Variants differ where the best and the worst of "
            + "\(NumberText.exact(VariantComparison.least)) sent or more are further apart than the scatter between "
            + "deliveries makes them: z is 3 or more, and higher where there are few deliveries. "
            + "A variant that was sent later had less time to be opened."
            + (comparisons.count > VariantSection.most
                ? " Shown are \(VariantSection.most) of \(NumberText.exact(comparisons.count)) campaigns; the table has all."
                : "")
    }

    private var chart: IntervalChart {
        let shown = comparisons.prefix(VariantSection.most)
        let differing = comparisons.filter(\.differs).count
        return IntervalChart(
            title: "Opened of sent by campaign and variant",
            summary: "In \(differing) of \(NumberText.plural(comparisons.count, "campaign")) the variants differ.",
            groups: shown.map { comparison in
                IntervalChart.Group(
                    name: comparison.campaign + (comparison.differs ? ": differ" : ""),
                    items: comparison.variants.map { variant in
                        IntervalChart.Item(
                            name: variant.name, value: variant.opened.rate ?? 0, interval: variant.opened.interval)
                    })
            })
    }

    private var table: DataTable {
        let rows = comparisons.flatMap { comparison in
            comparison.variants.enumerated().map { index, variant in
                (campaign: comparison.campaign, variant: variant, z: index == 0 ? comparison.z : nil)
            }
        }
        return DataTable(
            "variants", of: rows,
            [
                .markup("campaign") { Markup.name($0.campaign) },
                .markup("variant") { Markup.name($0.variant.name) },
                .number("deliveries") { NumberText.exact($0.variant.deliveries.count) },
                .number("sent") { NumberText.exact($0.variant.sent) },
                .number("opened") { NumberText.exact($0.variant.counts.opened) },
                .number("of sent") { NumberText.percent($0.variant.opened.rate) },
                .number("95 % interval") { NumberText.interval($0.variant.opened.interval) },
                .number("z") { $0.z.map { NumberText.decimal($0, places: 1) } ?? "" },
            ])
    }
}
