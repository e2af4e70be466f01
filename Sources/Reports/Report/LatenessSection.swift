/// How late events come: what the network and the apps' retries do.
struct LatenessSection {
    private static let classes: [(name: String, days: ClosedRange<Int>)] = [
        ("before the day", Int.min...(-1)), ("on the day", 0...0), ("1 day later", 1...1), ("2 to 3 days", 2...3),
        ("4 to 7 days", 4...7), ("8 days or more", 8...Int.max),
    ]

    let context: PageContext

    private var figures: ReportFigures { context.figures }

    var markup: Markup {
        .section("lateness", "How late events come") {
            if total(figures.now) == 0 {
                Markup.paragraph("There was no event in this period.")
            } else {
                chart.figure(
                    "lateness-chart", width: 504,
                    note: "The log date whose files brought the event, less the day of the event. Before the day: the "
                        + "device's clock ran ahead, or the log was rotated early.", table: table)
            }
        }
    }

    private func late(_ figures: PeriodFigures, _ days: ClosedRange<Int>) -> PeriodFigures.Late {
        figures.lateness.filter { days.contains($0.key) }.values.reduce(into: PeriodFigures.Late()) {
            $0.events += $1.events
            $0.duplicates += $1.duplicates
        }
    }

    private func total(_ figures: PeriodFigures) -> Int { late(figures, Int.min...Int.max).events }

    private func share(_ figures: PeriodFigures, _ days: ClosedRange<Int>) -> Double? {
        let all = total(figures)
        return all > 0 ? Double(late(figures, days).events) / Double(all) : nil
    }

    private var chart: BarChart {
        BarChart(
            title: "Events by how many days after their day they were logged",
            summary: "\(NumberText.percent(share(figures.now, 0...0))) on the day, "
                + "\(NumberText.percent(share(figures.now, 1...1))) a day later.",
            bars: LatenessSection.classes.map { item in
                let share = share(figures.now, item.days)
                return BarChart.Bar(
                    name: item.name, value: share ?? 0, text: NumberText.percent(share, places: 2),
                    compared: figures.before.flatMap { self.share($0, item.days) })
            }, comparedName: context.comparedName)
    }

    private var table: DataTable {
        var table = DataTable(
            caption: "events by lateness",
            columns: ["log date less day", "events", "share", "duplicates"]
                + (figures.before == nil ? [] : ["events \(context.comparedColumn)", "share then"]))
        for item in LatenessSection.classes {
            let late = late(figures.now, item.days)
            var cells = [
                NumberText.exact(late.events), NumberText.percent(share(figures.now, item.days), places: 2),
                NumberText.exact(late.duplicates),
            ]
            if let before = figures.before {
                cells += [
                    NumberText.exact(self.late(before, item.days).events),
                    NumberText.percent(share(before, item.days), places: 2),
                ]
            }
            table.add(item.name, cells)
        }
        return table
    }
}
