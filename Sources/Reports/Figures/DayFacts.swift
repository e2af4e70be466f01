/// A row of `days`.
struct DayFacts {
    let messages: Int
    let laterLogDates: Int
    let isFinal: Bool
}
