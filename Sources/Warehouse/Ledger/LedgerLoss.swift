/// Why a ledger could not be used. Its figures were computed anew, and its history is what push.db had.
package enum LedgerLoss: Equatable, Sendable {
    case missing
    case damaged(String)
}
