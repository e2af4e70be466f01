/// Which rows of a log date: those that it would have if it were alone, or what its shared messages change in them.
enum LedgerPart: Int {
    case alone = 0
    case shared = 1
}
