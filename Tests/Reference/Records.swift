/// An accepted record.
package struct Hit: Equatable, Sendable {
    package var idSpace: String
    package var broadlogID: BroadlogID
    package var action: String
    /// Milliseconds since 1970.
    package var time: Int
    package var source: String
    package var deliveryID: Bytes
    package var platform: String
    /// What it calls its delivery, by the key in `fields`.
    package var names: [String: Bytes] = [:]

    package init(
        idSpace: String, broadlogID: BroadlogID, action: String, time: Int, source: String, deliveryID: Bytes,
        platform: String
    ) {
        self.idSpace = idSpace
        self.broadlogID = broadlogID
        self.action = action
        self.time = time
        self.source = source
        self.deliveryID = deliveryID
        self.platform = platform
    }
}

package enum Outcome: Equatable {
    case accepted(Hit, clockFallback: Bool)
    case filtered(String)
    case rejected(String)
}

package struct Record {
    package var line: Int
    package var outcome: Outcome
}

/// Reads the records of a source and a log date.
package struct Reading {
    package var source: Pipeline.Source
    /// Of times without an offset.
    package var zone: Zone
    /// The same in payloads.
    private let payloadZone: Zone
    /// The payload times that are accepted, in milliseconds.
    package var believed: Range<Int>
    /// 00:00 of the log date.
    package var start: Int
    /// The length in bytes of the longest users_track body.
    package var longestBody = Reference.longestBody

    package init(source: Pipeline.Source, pipeline: Pipeline, logDate: Day) {
        self.source = source
        zone = Zone(source.timeZone ?? pipeline.timeZone)
        payloadZone = Zone(source.format == .events ? source.timeZone ?? "UTC" : "UTC")
        let days = Zone(pipeline.timeZone)
        start = days.start(of: logDate) * 1000
        let end = days.start(of: Day(number: logDate.number + 1)) * 1000
        let day = 86_400_000
        believed = start - pipeline.windowDays * day..<end + day
    }

    /// The records of a whole file.
    package func records(_ file: Unpacked) -> [Record] {
        if source.layout == .csv { return rowRecords(file) ?? [] }
        if source.hasBodies { return bodyRecords(file) }
        var records: [Record] = []
        // What the last `#Fields:` line of this file says.
        var columns: [String]?
        func reject(_ reason: String, _ line: Line) {
            records.append(Record(line: line.number, outcome: .rejected(reason)))
        }
        func misfit(_ text: Bytes, _ line: Line) {
            records.append(Record(line: line.number, outcome: misfitOutcome(text)))
        }
        func read(_ record: Bytes, _ line: Line, _ reading: Reading) {
            let outcomes =
                switch source.format {
                case .collector: [reading.collectorOutcome(record, columns)]
                case .mzip, .usersTrack, .events: reading.payloadOutcomes(record)
                }
            records += outcomes.map { Record(line: line.number, outcome: $0) }
        }
        /// Reads a line that is not wrapped.
        func read(_ line: Line) {
            if holdsObjects(line.bytes, columns) {
                for piece in line.objects {
                    switch piece {
                    case .object(let bytes), .faulty(let bytes): read(bytes, line, ofObjects)
                    case .rest(let bytes): misfit(bytes, line)
                    case .tooLong: reject("line_too_long", line)
                    }
                }
            } else if source.layout.hasFieldsLines, line.bytes.hasPrefix("#") {
                columns = Reference.columns(inFieldsLine: line.bytes) ?? columns
            } else {
                read(line.bytes, line, ofLines)
            }
        }
        for line in file.allLines {
            let isJSON = mayBeLong(line.bytes)
            // Of a line of a JSON layout that is cut off the whole objects count.
            if line.isCut, !isJSON { continue }
            if line.bytes.count > longestLine, !isJSON {
                reject("line_too_long", line)
                continue
            }
            guard let unwrap = source.unwrap else {
                read(line)
                continue
            }
            for piece in line.objects {
                switch piece {
                case .object(let object):
                    guard let text = JSONReader.document(object, checksUTF8: false)?.value(at: unwrap)?.string else {
                        misfit(object, line)
                        continue
                    }
                    for piece in text.pieces("\n") {
                        let bytes = piece.last == 0x0D ? Bytes(piece.dropLast()) : piece
                        if !bytes.isEmpty { read(Line(number: line.number, bytes: bytes)) }
                    }
                case .faulty(let bytes), .rest(let bytes): misfit(bytes, line)
                case .tooLong: reject("line_too_long", line)
                }
            }
        }
        return records
    }

    // MARK: Lines and objects

    /// A reading of the lines alone that begin with `{`, or of the others alone, if the source has layouts for both.
    private func only(_ isChosen: (Pipeline.Layout) -> Bool) -> Reading {
        let layouts = source.layouts.filter(isChosen)
        guard !layouts.isEmpty else { return self }
        var reading = self
        (reading.source.layout, reading.source.otherLayouts) = (layouts[0], Array(layouts.dropFirst()))
        return reading
    }

    private var ofObjects: Reading { source.otherLayouts.isEmpty ? self : only(\.isJSON) }
    private var ofLines: Reading { source.otherLayouts.isEmpty ? self : only { !$0.isJSON } }

    /// Whether a line that is not wrapped is read object by object.
    private func holdsObjects(_ line: Bytes, _ columns: [String]?) -> Bool {
        if source.otherLayouts.isEmpty {
            return source.layout.isJSON || source.layout == .cloudfront && line.hasPrefix("{")
        }
        guard source.layouts.contains(where: \.isJSON) else { return false }
        let text = Bytes(line.drop { isWhiteSpace($0) || $0 == 0 || $0 == UInt8(ascii: ",") })
        let fits = ofLines.source.read(line, columns: columns, zone: zone) != nil
        return line.hasPrefix("{") || text.hasPrefix("{") && !fits
    }

    /// Whether a line of a file may be longer than others, since it holds objects.
    private func mayBeLong(_ line: Bytes) -> Bool {
        guard source.layouts.contains(where: \.isJSON) else { return false }
        return source.otherLayouts.isEmpty || source.unwrap != nil || line.hasPrefix("{")
    }

    func misfitOutcome(_ text: Bytes) -> Outcome {
        let isSkipped = source.skip.contains { text.contains($0) }
        return isSkipped ? .filtered("skipped") : .rejected("malformed_line")
    }

    // MARK: Collector records

    /// The checks have the order of the table in `Counting.md`.
    private func collectorOutcome(_ line: Bytes, _ columns: [String]?) -> Outcome {
        guard let found = source.read(line, columns: columns, zone: zone), let method = found.method,
            let uriText = found.uri
        else { return misfitOutcome(line) }
        if found.isJoined { return .rejected("joined_lines") }
        let uri = RequestURI(uriText)
        guard [Bytes("GET"), Bytes("POST")].contains(method), [Bytes("/r"), Bytes("/r/")].contains(uri.path),
            let id = uri.parameters.first(where: { $0.name == Bytes("id") })
        else { return .filtered("not_tracking") }
        let parts = (percentDecoded(id.value) ?? []).pieces(",").map(\.trimmed)
        guard parts.count == 3 else { return .rejected("malformed_id") }
        if parts.contains([]) { return .rejected("empty_id") }
        guard let message = broadlogID(collector: parts[0]), let delivery = deliveryID(parts[1]) else {
            return .rejected("malformed_id")
        }
        guard parts[2].isHex else { return .rejected("malformed_id") }
        guard parts[2].count == 1, parts[2].isDigits else { return .filtered("link") }
        guard let action = source.actions[parts[2].text] else { return .rejected("unknown_action") }
        if source.requiresMcid {
            let hasMcid = uri.parameters.contains { $0.name.lowercased == Bytes("mcid") && !$0.value.isEmpty }
            guard hasMcid else { return .filtered("not_push") }
        }
        if let fault = statusFault(found.status) { return .filtered(fault) }
        guard let time = found.time else { return .rejected("bad_time") }
        let hit = Hit(
            idSpace: source.idSpace, broadlogID: message, action: action, time: time, source: source.name,
            deliveryID: delivery, platform: platform(userAgent: found.userAgent))
        return .accepted(hit, clockFallback: false)
    }

    // MARK: Payload records

    /// The outcomes of a line of a mzip source, or of a users_track or events source with a layout.
    private func payloadOutcomes(_ line: Bytes) -> [Outcome] {
        var found = LogLine()
        if source.layout == .body {
            found.body = line
        } else {
            guard let read = source.read(line, columns: nil, zone: zone) else { return [misfitOutcome(line)] }
            found = read
            if let method = found.method, let uri = found.uri {
                let path = RequestURI(uri).path
                guard method == Bytes("POST"), path == RequestURI.path(Bytes(source.path)) else {
                    return [.filtered("not_tracking")]
                }
            }
            if let fault = statusFault(found.status) { return [.filtered(fault)] }
        }
        guard let body = found.body, !body.isEmpty, body != Bytes("-") || source.layout == .body else {
            return [.rejected("no_body")]
        }
        if source.format == .usersTrack {
            guard let tree = JSONReader.document(body) else { return [.rejected("bad_json")] }
            return usersTrackOutcomes(tree, found).map(\.outcome)
        }
        if source.format == .events {
            guard let tree = JSONReader.document(body) else { return [.rejected("bad_json")] }
            var objects = [tree]
            if case .array(let elements) = tree.kind { objects = elements }
            return objects.flatMap { eventsOutcomes($0, found).map(\.outcome) }
        }
        guard let json = mzipField(body) else { return [.rejected("malformed_line")] }
        guard json.trimmed.first == UInt8(ascii: "{") else { return [.rejected("not_json")] }
        guard let tree = JSONReader.document(json) else { return [.rejected("bad_json")] }
        return elementOutcomes(tree, found)
    }

    /// The decoded `mzip` field of a form, or a value without a form. Nil if it is missing or has a broken escape.
    private func mzipField(_ form: Bytes) -> Bytes? {
        var value = form
        if form.contains("=") {
            let fields = form.pieces("&").map { $0.cut(at: "=") ?? ($0, []) }
            guard let field = fields.first(where: { $0.before == Bytes("mzip") }) else { return nil }
            value = field.after
        }
        return percentDecoded(value.map { $0 == UInt8(ascii: "+") ? 0x20 : $0 }, strict: true)
    }

    /// The outcomes of a body's elements, in the order of the text, each with the offset of its first byte.
    func usersTrackOutcomes(_ body: JSONTree, _ found: LogLine) -> [(offset: Int, outcome: Outcome)] {
        var outcomes: [(offset: Int, outcome: Outcome)] = []
        var hasArray = false
        for name in ["attributes", "events", "purchases"] {
            guard let value = body[name] else { continue }
            guard case .array(let elements) = value.kind else {
                return [(body.offset, .rejected("not_users_track"))]
            }
            hasArray = true
            for element in elements {
                let found = name == "events" ? elementOutcomes(element, found) : [.filtered("not_an_event")]
                outcomes += found.map { (element.offset, $0) }
            }
        }
        if !hasArray { return [(body.offset, .rejected("not_users_track"))] }
        return outcomes.sorted { $0.offset < $1.offset }
    }

    /// The outcomes of the events in one object of an events file.
    func eventsOutcomes(_ object: JSONTree, _ found: LogLine) -> [(offset: Int, outcome: Outcome)] {
        guard let path = source.elements else { return elementOutcomes(object, found).map { (object.offset, $0) } }
        guard case .array(let elements)? = object.valueInObjects(at: path)?.kind else {
            return [(object.offset, .rejected("not_events"))]
        }
        return elements.flatMap { element in elementOutcomes(element, found).map { (element.offset, $0) } }
    }

    /// The outcomes of a mzip object, of one element of `events`, or of one event of a vendor. The checks have the table's
    /// order.
    func elementOutcomes(_ element: JSONTree, _ found: LogLine) -> [Outcome] {
        let isObject = if case .object = element.kind { true } else { false }
        if isObject, !source.required.allSatisfy({ value(element, at: $0)?.isFilled == true }) {
            return [.filtered("not_push")]
        }
        if let action = source.action { return [outcome(element, action, time: field("time", of: element), found)] }
        guard source.times.isEmpty else {
            guard isObject else { return [.rejected("missing_action")] }
            let filled = source.times.filter { value(element, at: $0.path)?.isFilled == true }
            if filled.isEmpty { return [.filtered("unmapped_action")] }
            return filled.map { outcome(element, $0.action, time: value(element, at: $0.path), found) }
        }
        let code = field("action", of: element)
        guard let code = code?.string ?? code?.integerLiteral else { return [.rejected("missing_action")] }
        guard let action = source.actions.first(where: { Bytes($0.key) == code })?.value else {
            return [.filtered("unmapped_action")]
        }
        return [outcome(element, action, time: field("time", of: element), found)]
    }

    private func value(_ element: JSONTree, at path: String) -> JSONTree? {
        source.layout == .csv ? element[path] : element.value(at: path)
    }

    /// The value at a path, or at the first filled one where there are others.
    private func place(_ path: String, of element: JSONTree) -> JSONTree? {
        guard let others = source.otherPaths[path] else { return value(element, at: path) }
        return ([path] + others).compactMap { value(element, at: $0) }.first(where: \.isFilled)
    }

    private func field(_ name: String, of element: JSONTree) -> JSONTree? {
        source.fields[name].flatMap { place($0, of: element) }
    }

    /// The outcome of one action of an event.
    private func outcome(
        _ element: JSONTree, _ action: String, time value: JSONTree?, _ found: LogLine
    ) -> Outcome {
        func field(_ name: String) -> JSONTree? { self.field(name, of: element) }
        if let tracking = field("tracking"), !tracking.isNull {
            switch tracking.string?.trimmed.lowercased {
            case Bytes("on"): break
            case Bytes("off"): return .filtered("tracking_off")
            default: return .rejected("bad_tracking")
            }
        }
        let message =
            source.idParts.isEmpty
            ? Reference.broadlogID(json: field("broadlog_id"))
            : Reference.broadlogID(parts: source.idParts.map { place($0, of: element) })
        let delivery = Reference.deliveryID(json: field("delivery_id"))
        if case .missing = message { return .rejected("missing_id") }
        if case .missing = delivery { return .rejected("missing_id") }
        guard case .id(let messageID) = message, case .id(let deliveryID) = delivery else {
            return .rejected("malformed_id")
        }
        var time: Int
        var clockFallback = false
        if let written = payloadTime(value, zone: payloadZone) {
            clockFallback = !believed.contains(written)
            if clockFallback, !source.times.isEmpty { return .filtered("out_of_window") }
            time = clockFallback ? found.time ?? start : written
        } else {
            guard let receipt = found.time else { return .rejected("bad_time") }
            time = receipt
        }
        var platform = (field("platform")?.string ?? field("platform")?.integerLiteral)?.lowercased.text
        if let word = platform {
            platform = source.platforms.first { Bytes($0.key).lowercased.text == word }?.value ?? word
        }
        if !["android", "ios", "web"].contains(platform) { platform = source.platform }
        var hit = Hit(
            idSpace: source.idSpace, broadlogID: messageID, action: action, time: time, source: source.name,
            deliveryID: deliveryID, platform: platform ?? Reference.platform(userAgent: found.userAgent))
        for key in NamedDelivery.keys { hit.names[key] = field(key)?.string.flatMap(Reference.deliveryName) }
        return .accepted(hit, clockFallback: clockFallback)
    }
}
