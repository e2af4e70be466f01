/// Most people sleep at night, and see then what has come when they get up.
enum Sleep {
    private static let falling = 23 * 3_600_000
    private static let rising = 7 * 3_600_000

    /// The time at which someone acts who would act at `time` if awake; both in milliseconds after midnight.
    static func delayed(_ time: Int, bits: UInt64) -> Int {
        let ofDay = time % 86_400_000
        guard bits % 5 != 0, ofDay < rising || ofDay >= falling else { return time }
        let morning = time - ofDay + (ofDay < rising ? 0 : 86_400_000) + rising
        return morning + Int(bits >> 8 & 0xFFFF) * 137
    }
}
