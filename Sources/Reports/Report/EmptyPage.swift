/// The page of a push.db without log dates, where no days were asked for.
enum EmptyPage {
    private static let sentences = [
        "Nothing is loaded yet, so there are no figures.", "The command 'pushetl run' loads a log date.",
    ]
    static let text = "Push messages\n" + sentences.joined(separator: "\n") + "\n"

    static var html: String {
        PageFrame.html(title: "Push messages") {
            Markup.element("header") { Markup.element("h1") { "Push messages" } }
            Markup.element("main") {
                Markup.section("trust", "Can these figures be trusted?", style: "untitled trust") {
                    Markup.paragraph(sentences.joined(separator: " "), style: "lead")
                }
            }
        }
    }
}
