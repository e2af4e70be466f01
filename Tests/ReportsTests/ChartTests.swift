import Calendar
import Testing

@testable import Reports

/// How charts place what they show.
@Suite struct ChartTests {
    @Test(arguments: [
        ([60_000.0, 64_000], [60_000.0, 61_000, 62_000, 63_000, 64_000]), ([0.2, 0.9], [0, 0.25, 0.5, 0.75, 1]),
        ([5, 5], [0, 2, 4, 6]), ([0, 0], [0, 0.25, 0.5, 0.75, 1]),
    ])
    func anAxisHasRoundNumbersAndBeginsWhereValuesDiffer(values: [Double], ticks: [Double]) {
        let scale = Scale(values)
        #expect(scale.ticks.count == ticks.count)
        for (tick, expected) in zip(scale.ticks, ticks) { #expect(abs(tick - expected) < 1e-9) }
    }

    @Test func aLineIsBrokenWhereAValueIsMissing() {
        let days = (0..<5).map { LogDate(dayNumber: $0) }
        let chart = LineChart(
            days: days, series: [.init(name: "a", style: .blue, values: [1, 2, nil, 3, nil])], label: NumberText.tick)
        let html = chart.drawing(width: 1000).shapes.html
        let path = html.components(separatedBy: "<path d=\"")[1].prefix { $0 != "\"" }
        #expect(path.filter { $0 == "M" }.count == 2)
        #expect(path.filter { $0 == "L" }.count == 1)
        // The value between two gaps would have no line, so it has a point.
        #expect(html.contains("<circle"))
    }

    /// Days that still grow are hollow. The others have points where the line has markers, and is not too long.
    @Test(arguments: [(5, false, 0), (5, true, 4), (62, true, 61), (63, true, 0)])
    func pointsAreDrawnWhereTheyAreToBeSeen(days: Int, hasMarkers: Bool, filled: Int) {
        var series = Series(name: "a", style: .blue, values: Array(repeating: 1, count: days))
        (series.growing, series.hasMarkers) = ([days - 1], hasMarkers)
        var drawing = Drawing(width: 1000)
        drawing.line(series) { index, value in (Double(index), value) }
        let html = drawing.shapes.html
        func points(_ style: String) -> Int { html.components(separatedBy: "class=\"\(style) blue\"").count - 1 }
        #expect(points("marker") == filled && points("marker hollow") == 1)
    }

    @Test func barsBeginAtZeroAndAreProportional() {
        let chart = BarChart(
            bars: [.init(name: "a", value: 50, text: "50"), .init(name: "b", value: 100, text: "100")])
        let widths = chart.drawing(width: 504).shapes.html.components(separatedBy: "<rect ")
            .filter { $0.contains("class=\"bar\"") }
            .compactMap { $0.components(separatedBy: "width=\"")[1].components(separatedBy: "\"").first }
            .compactMap(Double.init)
        #expect(widths.count == 2 && abs(widths[0] * 2 - widths[1]) < 0.2)
    }

    /// A name that has the room that was made for it is not cut.
    @Test(arguments: ["A", "B", "m", "variant 12", "émile", "🎉"])
    func namesThatFitAreShownWhole(name: String) {
        let interval = IntervalChart(groups: [(name, [(name, Proportion(part: 100, whole: 1000))])])
        let slope = SlopeChart(beforeName: "before", nowName: "now", items: [(name, 0.1, 0.2)])
        let bars = BarChart(bars: [.init(name: name, value: 1, text: "1")])
        for width in stride(from: 320.0, to: 1100, by: 7.3) {
            for chart in [interval, slope, bars] as [any Chart] {
                let html = chart.drawing(width: width).shapes.html
                #expect(html.contains(name) && !html.contains("…"), "\(width)")
            }
        }
    }

    @Test func labelsThatWouldTouchAreMovedApartInTheirOrder() {
        #expect(LabelSpacing.apart([30, 32, 80], by: 16, within: 0...100) == [23, 39, 80])
        #expect(LabelSpacing.apart([52, 50, 51, 20], by: 10, within: 0...100) == [61, 41, 51, 20])
        #expect(LabelSpacing.apart([10, 12, 50], by: 16, within: 10...100) == [10, 26, 50])
        #expect(LabelSpacing.apart([98, 99], by: 16, within: 0...100) == [84, 100])
        #expect(LabelSpacing.apart([], by: 16, within: 0...100) == [])
    }

    @Test(arguments: [2, 28, 60, 331, 441, 730, 3660])
    func dayLabelsFitTheAxisAndThoseOfManyMonthsAreTheirFirstDays(count: Int) {
        let axis = DayAxis(days: (0..<count).map { LogDate(dayNumber: 20_000 + $0) })
        for width in [280.0, 440, 950] {
            let labels = axis.labels(width: width)
            #expect(!labels.isEmpty && Double(labels.count) <= max(2, width / 76) + 1)
            guard count > 330 else { continue }
            #expect(labels.allSatisfy { axis.days[$0.index].day == 1 })
            let months = labels.map { axis.days[$0.index].year * 12 + axis.days[$0.index].month }
            #expect(Set(zip(months, months.dropFirst()).map { $1 - $0 }).count <= 1)
        }
    }

    /// The first label begins at its day, so that it stays within the drawing. The others are centred.
    @Test func onlyTheFirstDayLabelBeginsAtItsDay() {
        let chart = LineChart(
            days: (0..<28).map { LogDate(dayNumber: 20_000 + $0) },
            series: [.init(name: "a", style: .blue, values: Array(repeating: 1, count: 28))], label: NumberText.tick)
        let html = chart.drawing(width: 1000).shapes.html
        func labels(_ anchor: String) -> Int { html.components(separatedBy: "class=\"\(anchor) soft\"").count - 1 }
        #expect(labels("start") == 1 && labels("middle") == 3, "\(html)")
    }

    @Test func markersAndDashesDifferByStyle() {
        let styles = Series.Style.allCases
        let shapes = styles.map { style in
            var drawing = Drawing(width: 100)
            drawing.marker(style, at: (50, 50))
            return drawing.shapes.html.filter { !$0.isLetter }
        }
        #expect(Set(shapes).count == styles.count)
        for style in styles.dropFirst() {
            #expect(ReportPage.style.contains(".line.\(style){stroke:var(--\(style));stroke-dasharray:"))
        }
    }

    @Test func aHeatMapShowsItsNumbersInFourCharacters() {
        var values = [[Double?]](repeating: [Double?](repeating: 0, count: 24), count: 7)
        values[0][0] = 1_249
        values[6][23] = 12_345_678
        values[3][3] = nil
        for width in [1040.0, 328] {
            let html = HeatMap(names: DateText.weekdays, values: values).drawing(width: width)
                .shapes.html
            #expect(html.contains(">1.2k<") && html.contains(">12M<") && html.contains(">–<"))
        }
    }
}
