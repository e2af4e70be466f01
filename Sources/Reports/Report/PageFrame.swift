/// What is around the content of a page.
enum PageFrame {
    static func html(title: String, @Markup.Builder _ body: () -> Markup) -> String {
        let page = Markup.element("html", ["lang": "en"]) {
            Markup.element("head") {
                Markup.element("meta", ["charset": "utf-8"])
                Markup.element("meta", ["name": "viewport", "content": "width=device-width, initial-scale=1"])
                Markup.element("meta", ["name": "color-scheme", "content": "light dark"])
                Markup.element("title") { title }
                Markup.element("style") { Markup(trusted: PageStyle.sheet) }
            }
            Markup.element("body", [:], body)
        }
        return "<!DOCTYPE html>\n" + page.html + "\n"
    }
}
