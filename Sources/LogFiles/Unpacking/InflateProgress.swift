/// The result of one call that unpacks.
struct InflateProgress {
    enum Step {
        case moreToCome
        /// The taken input ends with the member's trailer. The caller must check the trailer.
        case memberEnded
        case memberDamaged
    }

    /// The number of bytes taken from the input.
    let taken: Int
    /// The number of bytes written to the output.
    let filled: Int
    let step: Step
}
