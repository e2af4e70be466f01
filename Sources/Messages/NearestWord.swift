extension String {
    /// The most similar of `words`: the one with the fewest letters to add, drop, change or swap, if these are at most
    /// `limit` (by default a third of the word's length, and at least 1). Case is ignored.
    package func nearest(of words: some Sequence<String>, within limit: Int? = nil) -> String? {
        let mine = Array(lowercased())
        let limit = limit ?? Swift.max(1, mine.count / 3)
        var best: (word: String, distance: Int)?
        for word in words where word != self {
            let theirs = Array(word.lowercased())
            guard abs(theirs.count - mine.count) <= limit else { continue }
            let distance = mine.edits(to: theirs)
            if distance <= limit, distance < best?.distance ?? .max {
                best = (word, distance)
            }
        }
        return best?.word
    }
}

extension [Character] {
    /// The number of letters to add, drop, change, or swap with a neighbour: the optimal string alignment distance.
    fileprivate func edits(to other: [Character]) -> Int {
        var rowBefore: [Int] = []
        var row = [Int](0...other.count)
        for i in indices {
            var next = [i + 1]
            for j in other.indices {
                var least = Swift.min(row[j + 1] + 1, next[j] + 1, row[j] + (self[i] == other[j] ? 0 : 1))
                if i > 0, j > 0, self[i] == other[j - 1], self[i - 1] == other[j] {
                    least = Swift.min(least, rowBefore[j - 1] + 1)
                }
                next.append(least)
            }
            rowBefore = row
            row = next
        }
        return row[other.count]
    }
}

extension MessageText {
    /// `, did you mean 'dialect'?`, or other words if nothing is near.
    package static func didYouMean(_ near: String?, or other: MessageText = "") -> MessageText {
        near.map { ", did you mean '\($0)'?" } ?? other
    }
}
