/// Returns the first index in `range` that is not before a searched element, or the end of the range.
///
/// `isBefore` must be true for all indices up to that one and false from there on.
@inline(__always)
package func firstIndex(in range: Range<Int>, whereNot isBefore: (Int) -> Bool) -> Int {
    var (lower, upper) = (range.lowerBound, range.upperBound)
    while lower < upper {
        let middle = (lower + upper) / 2
        if isBefore(middle) { lower = middle + 1 } else { upper = middle }
    }
    return lower
}
