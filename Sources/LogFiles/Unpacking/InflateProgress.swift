/// What one call has unpacked.
struct InflateProgress {
    enum Step {
        case moreToCome
        /// The input that was taken ends with the member's trailer, which is still to be checked.
        case memberEnded
        case memberDamaged
    }

    /// Bytes taken from the input.
    let taken: Int
    /// Bytes written to the output.
    let filled: Int
    let step: Step
}
