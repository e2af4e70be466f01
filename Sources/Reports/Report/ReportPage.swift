import Calendar
import Messages

/// The page: one HTML file without scripts, which loads nothing.
struct ReportPage {
    let figures: ReportFigures
    let findings: Findings

    private var period: ReportPeriod { figures.period }

    func html() throws -> String {
        let sections = try sections
        let operatorPart = try Markup.operatorPart(of: figures)
        return ReportPage.html(title: "\(figures.request.title), \(DateText.range(period.first, to: period.last))") {
            header
            Markup.element("main") {
                for section in sections { section }
                operatorPart
            }
            if figures.place == nil, !figures.request.isOneLoad { footer }
        }
    }

    private var sections: [PageSection] {
        get throws {
            let first = [PageSection.trust(Trust(of: figures))]
            let last = [PageSection.definitions(in: figures.table)]
            guard figures.table.hasFigures(during: period) else { return first + last }
            return try first + [.findings(findings), .headline(of: figures)]
                + (period.count > 1 ? [.trend(of: figures)] : [])
                + [
                    .funnel(of: figures), .platforms(of: figures), .hours(of: figures), .delay(of: figures),
                    .deliveries(of: figures), .variants(of: figures.now.deliveries),
                ] + last
        }
    }

    /// The style sheet. It uses the system's fonts, so nothing is loaded. Its colours suit people with colour
    /// blindness, and lines also differ by dashes and markers.
    static let style = String(decoding: PackageResources.page_css, as: UTF8.self)

    /// A whole page, with its head and style sheet, around the given content.
    static func html(title: String, style: String = ReportPage.style, @Markup.Builder body: () -> Markup) -> String {
        let page = Markup.element("html", with: ["lang": "en"]) {
            Markup.element("head") {
                Markup.element("meta", with: ["charset": "utf-8"])
                Markup.element("meta", with: ["name": "viewport", "content": "width=device-width, initial-scale=1"])
                Markup.element("meta", with: ["name": "color-scheme", "content": "light dark"])
                Markup.element("meta", with: ["name": "generator", "content": "pushetl"])
                Markup.element("title") { title }
                Markup.element("style") { Markup(trusted: style) }
            }
            Markup.element("body", content: body)
        }
        return "<!DOCTYPE html>\n" + page.html + "\n"
    }

    /// Whether a file with these first bytes is a page of pushetl, whatever its title is.
    static func isPage(_ head: [UInt8]) -> Bool {
        let text = String(decoding: head, as: UTF8.self)
        return text.hasPrefix("<!DOCTYPE html>") && text.contains(#"<meta name="generator" content="pushetl" />"#)
    }

    /// The page of a push.db without log dates, where no days were asked for.
    static func empty(title: String) -> String {
        html(title: title) {
            Markup.element("header") { Markup.element("h1") { title } }
            Markup.element("main") {
                PageSection.trust {
                    Markup.paragraph(ReportText.emptySentences.joined(separator: " "), style: "lead")
                }
            }
        }
    }

    private var header: Markup {
        .header(
            over: figures.request.title, in: figures.place, more: figures.place.map { ", \($0.name)" } ?? "",
            title: Markup(DateText.range(period.first, to: period.last)),
            under: Text.plural(period.count, of: "day") + comparedDays
                + ". Days are those of \(figures.table.timeZone).")
    }

    private var comparedDays: String {
        guard let before = figures.before?.period, let name = figures.comparedName else { return "" }
        return ", compared with \(name): \(DateText.range(before.first, to: before.last))"
    }

    private var footer: Markup {
        let outside = figures.outside
        return .element("footer") {
            if let first = outside.keys.min(), let last = outside.keys.max() {
                Markup.paragraph(
                    "Not on this page: \(Text.plural(outside.count, of: "day")) of push.db outside of these periods, "
                        + "with \(Text.plural(outside.values.reduce(0, +), of: "message")) "
                        + "(\(DateText.range(first, to: last))).")
            } else {
                Markup.paragraph("push.db has no days outside of these periods.")
            }
        }
    }
}

extension PageSection {
    fileprivate static func trust(@Markup.Builder content: () -> Markup) -> PageSection {
        PageSection("trust", title: "Can these figures be trusted?", style: "untitled trust", content: content)
    }

    /// One line whether the figures can be trusted, with a link to what the operator knows.
    static func trust(_ trust: Trust) -> PageSection {
        .trust {
            Markup.element("p", with: ["class": "lead"]) {
                Markup.element("strong", with: ["class": trust.isSound ? "pill" : "pill check"]) {
                    trust.isSound ? "Complete" : "Check"
                }
                " "
                trust.line
                " "
                Markup.element("a", with: ["href": "#operator"]) { trust.isSound ? "See log dates" : "See why" }
            }
        }
    }

    /// The unusual facts, each with a link to its section.
    static func findings(_ findings: Findings) -> PageSection {
        let all = findings.all
        return PageSection("findings", title: "What stands out", nothing: all.isEmpty ? findings.nothing : nil) {
            Markup.element("ul") { for finding in all { Markup.element("li") { line(of: finding) } } }
        }
    }

    @Markup.Builder private static func line(of finding: Finding) -> Markup {
        for part in finding.sentence.parts {
            switch part {
            case .text(let text): Markup(text)
            case .name(let name): Markup.element("b", with: ["class": "name"]) { Markup.data(name) }
            }
        }
        " "
        Markup.element("a", with: ["href": "#" + finding.section]) { "See " + finding.section }
    }

    /// The meanings of the words on the page.
    static func definitions(in table: DayTable) -> PageSection {
        PageSection("definitions", title: "What the words mean") {
            Markup.element("dl", with: ["class": "words"]) {
                for definition in table.definitions.split(separator: "\n") {
                    let parts = definition.split(separator: ": ", maxSplits: 1)
                    Markup.element("div") {
                        Markup.element("dt") { String(parts[0]) }
                        Markup.element("dd") { String(parts[1]) }
                    }
                }
            }
        }
    }
}

extension DayTable {
    /// The definitions, one per line.
    fileprivate var definitions: String {
        """
        day: The calendar day of a message's first event, or of the event itself, in \(timeZone).
        log date: The day whose log files were loaded together.
        message: One push notification to one device, known from its first event. What was sent and never heard of is \
        not counted as a message.
        arrived: The device told that the message came. Only iOS apps with an extension do.
        impressed: The message was shown.
        clicked: The message was tapped or dismissed.
        opened: The app was opened by the message.
        dismissed: Clicked and not opened.
        opened within 24 hours: Opened at most 24 hours after the message's first event, if it arrived or was \
        impressed. Of others it is not known how soon they were opened.
        95 % interval: How far chance reaches: 19 of 20 such intervals hold the true rate (Wilson's).
        z: How far two rates are apart, in standard errors. Where the deliveries of a variant differ by more than \
        chance, so do these.
        of messages, of impressed: A rate of sums over all days, never a mean of rates.
        of sent: Sent is what the delivery files or the events say. It is used only for deliveries that began in the \
        period, with all that came of them, also after it. A delivery begins on the day on which it was sent, where a \
        delivery file gives it, else on the day of its first event.
        change: Against the days compared. Counts change by per cent of the former count, rates by points: from 20 % to \
        25 % are 5 pt.
        duplicates: Records that repeat an event. They are not counted again.
        provisional: Figures that may still grow, because late hits can come. A day is final once a log date more than \
        \(windowDays) days later is loaded.
        held back: A load that was not accepted, so what was loaded before is kept. push.db does not say whether the \
        same files were accepted later without a change; 'pushetl status' does.
        """
    }
}
