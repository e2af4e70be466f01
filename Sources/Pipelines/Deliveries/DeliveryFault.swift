import Messages

/// Why a delivery file cannot be used.
struct DeliveryFault: Error, Equatable {
    let message: Message
    /// The value of `errno`, if the file cannot be read.
    var code: Int32?
}
