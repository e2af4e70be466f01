extension Reading {
    /// The records of a file that is a sequence of JSON objects.
    func bodyRecords(_ file: Unpacked) -> [Record] {
        let text = file.body
        var records: [Record] = []
        var position = 0
        // After a fault in a long object what has no events is no reject of its own.
        var isInRest = false
        func add(_ outcome: Outcome, _ offset: Int) {
            records.append(Record(line: text[..<offset].count { $0 == UInt8(ascii: "\n") } + 1, outcome: outcome))
        }
        func reject(_ reason: String, _ offset: Int) {
            if !isInRest { add(.rejected(reason), offset) }
        }
        /// Reads a long object whose events are read one by one. Nil if the file is cut off in it.
        func readLong(_ path: String) -> Int? {
            let found = JSONReader.elements(in: text, at: position, path: path)
            if found.hasArray { isInRest = false }
            for (element, length) in found.whole {
                let outcomes =
                    length > longestBody ? [.rejected("line_too_long")] : elementOutcomes(element, LogLine())
                for outcome in outcomes { add(outcome, element.offset) }
            }
            guard let fault = found.fault else {
                if !found.hasArray { reject("not_events", position) }
                return found.end
            }
            if fault == .unfinished, file.status == .truncated { return nil }
            reject("bad_json", found.begun ?? found.end)
            isInRest = true
            return resumption(in: text, after: found.end)
        }
        while position < text.count {
            if isWhiteSpace(text[position]) || ",[]".utf8.contains(text[position]) {
                position += 1
                continue
            }
            let isLong = text.count - position > longestBody
            do throws(JSONFault) {
                guard text[position] == UInt8(ascii: "{") else { throw .invalid(offset: position) }
                let allowed = isLong ? Bytes(text[..<(position + longestBody)]) : text
                let (tree, end) = try JSONReader.object(in: allowed, at: position)
                let outcomes =
                    source.format == .events
                    ? eventsOutcomes(tree, LogLine()) : usersTrackOutcomes(tree, LogLine())
                if outcomes.map(\.outcome) != [.rejected("not_events")] { isInRest = false }
                if !isInRest { for (offset, outcome) in outcomes { add(outcome, offset) } }
                position = end
            } catch {
                if error == .unfinished, isLong {
                    guard let path = source.elements else {
                        reject("line_too_long", position)
                        position = resumption(in: text, after: position + longestBody - 1)
                        continue
                    }
                    guard let next = readLong(path) else { break }
                    position = next
                    continue
                }
                // The unfinished last body of a truncated file is no record.
                if error == .unfinished, file.status == .truncated { break }
                reject("bad_json", position)
                position = resumption(in: text, after: position)
            }
        }
        return records
    }
}

/// The next line that begins after an offset, with `{` or `[`.
private func resumption(in text: Bytes, after offset: Int) -> Int {
    for next in text.indices where next > offset && text[next - 1] == UInt8(ascii: "\n") {
        if text[next] == UInt8(ascii: "{") || text[next] == UInt8(ascii: "[") { return next }
    }
    return text.count
}
