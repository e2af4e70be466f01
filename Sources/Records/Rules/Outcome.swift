/// The result for a record. The delivery id of an accepted record is returned separately.
enum Outcome: Equatable {
    case accept(Record)
    case filter(FilterReason)
    case reject(RejectReason)
}
