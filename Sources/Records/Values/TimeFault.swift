/// Why a text is no time, for messages.
enum TimeFault: Error {
    /// The byte at this offset, or the end of the text there, is not what a time has there.
    case shape(at: Int)
    // Faults of texts that have the shape of a time.
    case noSuchDate, noSuchTimeOfDay, noSuchOffset, beyondYear9999
}

extension TimeFault: CustomStringConvertible {
    var description: String {
        switch self {
        case .shape: "something else"
        case .noSuchDate: "a date that does not exist"
        case .noSuchTimeOfDay: "a time of day that does not exist"
        case .noSuchOffset: "an offset that does not exist"
        case .beyondYear9999: "a time beyond the year 9999"
        }
    }

    /// Of the faults of one text by two formats, that of the format that fits further.
    func orFurther(_ other: TimeFault) -> TimeFault {
        guard case .shape(let offset) = self else { return self }
        guard case .shape(let otherOffset) = other else { return other }
        return otherOffset > offset ? other : self
    }
}
