import Testing

@testable import Reports

@Suite struct NumberTextTests {
    @Test(arguments: [
        (0, "0"), (999, "999"), (9999, "9,999"), (10_000, "10.0\u{A0}k"), (99_949, "99.9\u{A0}k"),
        (99_951, "100\u{A0}k"),
        (351_841, "352\u{A0}k"), (999_499, "999\u{A0}k"), (999_501, "1.00\u{A0}M"), (1_370_744, "1.37\u{A0}M"),
    ])
    func aHeadlineNumberHasThreeDigits(number: Int, text: String) {
        #expect(NumberText.rounded(number) == text)
    }

    @Test func exactNumbersAreGrouped() {
        #expect(NumberText.exact(1_234_567) == "1,234,567")
        #expect(NumberText.exact(-1234) == "−1,234")
    }

    @Test(arguments: [
        (100, 104, "+4.0\u{A0}%"), (104, 100, "−3.8\u{A0}%"), (100, 100, "±0.0\u{A0}%"), (1, 3, "+200\u{A0}%"),
        (5, 0, "−100\u{A0}%"), (0, 5, "–"), (1, .max, "–\u{A0}%"), (3, .min, "–\u{A0}%"),
    ])
    func aChangeIsRelativeToTheFormerNumber(before: Int, now: Int, text: String) {
        #expect(NumberText.change(from: before, to: now) == text)
    }

    @Test(arguments: [(0.257, "25.7 %"), (0, "0.0 %"), (0.0005, "0.1 %"), (0.00024, "0.024 %")])
    func aSmallShareIsNotShownAsNone(ratio: Double, text: String) {
        #expect(NumberText.percent(ratio).replacing("\u{A0}", with: " ") == text)
    }

    @Test(arguments: [(0.998, "99 %"), (1, "100 %"), (0.704, "70 %")])
    func whatIsNotAllDoesNotReadAsAll(ratio: Double, text: String) {
        #expect(NumberText.wholePercent(ratio).replacing("\u{A0}", with: " ") == text)
    }

    @Test(arguments: [(0, "0 %"), (0.25, "25 %"), (0.025, "2.5 %"), (0.00005, "0.005 %"), (1, "100 %")])
    func theLinesOfAnAxisDiffer(ratio: Double, text: String) {
        #expect(NumberText.percentTick(ratio).replacing("\u{A0}", with: " ") == text)
    }

    @Test func ratesChangeByPoints() {
        #expect(NumberText.points(from: 0.2, to: 0.25) == "+5.0\u{A0}pt")
        #expect(NumberText.points(from: 0.25, to: 0.2497) == "±0.0\u{A0}pt")
        #expect(NumberText.points(from: nil, to: 0.2) == "–")
    }

    @Test(arguments: [(0.0, "0"), (2525, "2,525"), (0.5, "0.5"), (12_500, "12.5\u{A0}k"), (2_000_000, "2\u{A0}M")])
    func axesHaveNoZerosBehindThePoint(value: Double, text: String) {
        #expect(NumberText.tick(value) == text)
    }
}
