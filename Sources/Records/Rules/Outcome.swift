/// What became of a record. The delivery id of an accepted one lies beside it.
enum Outcome: Equatable {
    case accept(Record)
    case filter(FilterReason)
    case reject(RejectReason)
}
