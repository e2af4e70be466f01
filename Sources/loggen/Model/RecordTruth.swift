/// What a record of a body is going to mean.
struct RecordTruth {
    let message: Message
    let action: String
    var platform: Platform
    /// The time that the payload says; nil for none that can be read.
    var payload: Int?
    /// What becomes of the record before its time is looked at; nil if nothing does.
    var verdict: Meaning?
    /// The id and the delivery, where they are not the message's.
    var key: String?
    var delivery: String?

    init(message: Message, action: String, platform: Platform, payload: Int) {
        self.message = message
        self.action = action
        self.platform = platform
        self.payload = payload
    }

    func hit(at time: Int, source: Int, date: Day) -> Hit {
        Hit(
            message: key ?? message.key, action: action, time: time, source: source,
            delivery: delivery ?? message.deliveryText, platform: platform, date: date)
    }
}
