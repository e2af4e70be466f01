/// What the words of the page mean.
struct DefinitionSection {
    let table: DayTable

    /// A word and its meaning a line.
    private var definitions: String {
        """
        day: The calendar day of a message's first event, or of the event itself, in \(table.timeZone).
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
        of sent: Sent is what the delivery files say. It is used only for deliveries whose first day lies in the period.
        change: Against the days compared. Counts change by per cent of the former count, rates by points: from 20 % to \
        25 % are 5 pt.
        duplicates: Records that repeat an event. They are not counted again.
        provisional: Figures that may still grow, because late hits can come. A day is final once a log date more than \
        \(table.windowDays) days later is loaded.
        held back: A load that was not accepted, so what was loaded before is kept. push.db does not say whether the \
        same files were accepted later without a change; 'pushetl status' does.
        """
    }

    var markup: Markup {
        .section("definitions", "What the words mean") {
            Markup.element("dl", ["class": "words"]) {
                for definition in definitions.split(separator: "\n") {
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
