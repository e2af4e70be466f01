/// Something that stands out, as a sentence with the figures that it stands on.
struct Finding {
    enum Part {
        case text(String)
        /// A name from the data.
        case name(String)
    }

    /// The section of the page that shows more.
    let section: String
    let parts: [Part]

    init(_ section: String, _ parts: [Part]) {
        self.section = section
        self.parts = parts
    }
}
