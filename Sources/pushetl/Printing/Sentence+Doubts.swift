import Configuration
import Messages
import Pipelines
import Records

extension Sentence {
    /// Why no pipeline can be made from a file; nil if one can.
    static func failure(of file: FileGuess) -> Message? {
        guard file.trials.isEmpty else { return nil }
        let path = file.file.path
        if let foreign = file.foreign {
            return Message.told("foreign_file", foreign.text().shown(Sentence().paths), path: path)
        }
        let read = "\(file.isWhole ? "" : "the first ")\(Text.plural(file.lines, "line"))"
        if file.lines == 0 { return Message.told("no_hits", "\(path.shown): is empty", path: path) }
        if let obstacle = file.obstacle {
            return Message.told("no_layout", "\(path.shown): \(text(of: obstacle))", path: path)
        }
        if let signs = file.signs.values.max() {
            let hits = "\(path.shown): \(Text.number(signs)) of \(read) seem to hold hits"
            if let miss = file.nearMiss, let lack = miss.lack {
                return Message.told(
                    "no_layout", "\(hits), but \(lack) was found in them (line \(miss.line))", path: path)
            }
            let miss = file.nearMiss.map { " (line \($0.line), \($0.reason.shown))" } ?? ""
            let page =
                file.nearMiss?.isJSON == true
                ? "'layout_fields' for them (the documentation's page Pipelines, json)" : "a 'log_format' for them"
            let text = "\(hits), but no layout fits them\(miss); write \(page)"
            return Message.told("no_layout", text, path: path)
        }
        let layout = file.plainLayout.map { "they fit '\($0.layoutText)', but none" } ?? "they fit no layout, and none"
        let text = "\(path.shown): no hits in \(read): \(layout) has an id such as '/r/?id=…', a mzip form or 'events'"
        return Message.told("no_hits", text, path: path)
    }

    private static func text(of obstacle: Obstacle) -> String {
        switch obstacle {
        case .hitsInList(let list):
            "its hits are in the list '\(list.shown)'; no layout reads lists, so write each element of the list as a line of "
                + "its own first, as 'jq -c' does"
        case .document:
            "is one JSON document; a layout reads one object a line, so write each as a line of its own first, as 'jq -c' "
                + "does"
        case .emptyList(let list): "the list '\(list.shown)' is empty in all lines, so there are no hits"
        case .noColumns(let names):
            "its '#Fields:' line has no \(names.joined(separator: ", no ")), which hits need; add "
                + "\(names.count == 1 ? "this field" : "these fields") to the server's log"
        case .misnamed(let kind, let content): "its name says \(kind), but its content is \(content) without hits"
        case .binary: "is binary data of an unknown kind; pushetl reads gzip, zstd and plain text"
        }
    }

    /// What is doubtful about a file from which a pipeline can be made.
    static func doubts(about file: FileGuess) -> [Message] {
        guard let trial = file.trials.max(by: { $0.hits < $1.hits }) else { return [] }
        let path = file.file.path
        var messages: [Message] = []
        if let other = file.otherLayout {
            let layouts = [(trial.draft, trial.fitting), (other.draft, other.lines)].map { draft, lines in
                "\(Text.number(lines)) of \(Text.plural(file.lines, "line")) (\(Text.percent(lines, of: file.lines))) fit "
                    + name(of: draft)
            }
            let text = "\(path.shown): has two layouts: \(layouts.joined(separator: ", ")); a source reads only one"
            messages.append(Message.told("mixed_layouts", text, path: path))
        }
        for format in RecordFormat.allCases {
            let (signs, misfitting) = (file.signs[format] ?? 0, file.misfittingSigns[format] ?? 0)
            guard misfitting * 20 >= signs, misfitting > 0 else { continue }
            messages.append(misfitMessage(misfitting, of: signs, path: path))
        }
        if file.status != .ok {
            messages.append(
                Message.told("\(file.status.rawValue)_file", "\(path.shown): is \(file.status.rawValue)", path: path))
        }
        return messages
    }

    /// What is doubtful about a file that a preview has read.
    static func doubts(about preview: Preview, name path: String) -> [Message] {
        var messages: [Message] = []
        let (misfits, hits) = (preview.tally.count(.malformedLine), preview.tally.hits + preview.misfittingHits)
        if misfits >= 2, misfits * 50 >= preview.tally.records {
            let text =
                "\(path.shown): \(Text.number(misfits)) of \(Text.plural(preview.tally.records, "record")) "
                + "(\(Text.percent(misfits, of: preview.tally.records))) do not fit the layout; 'pushetl guess' tells "
                + "whether they have another one"
            messages.append(Message.told("lines_do_not_fit", text, path: path))
        }
        let joined = preview.tally.count(.joinedLines)
        if joined > 0 {
            let text =
                "\(path.shown): \(Text.plural(joined, "line")) \(joined == 1 ? "holds" : "hold") more than one hit, so all their "
                + "hits are lost (joined_lines); line ends are missing, or a CR alone"
            messages.append(Message.told("joined_lines", text, path: path))
        }
        if let offset = preview.trailingBytesAt {
            let text = "\(path.shown): the bytes from offset \(offset) on are not gzip data and were ignored"
            messages.append(Message.told("trailing_bytes", text, path: path))
        }
        if preview.misfittingHits > 0, preview.misfittingHits * 20 >= hits {
            messages.append(misfitMessage(preview.misfittingHits, of: hits, path: path))
        }
        return messages
    }

    private static func misfitMessage(_ misfitting: Int, of signs: Int, path: String) -> Message {
        let text =
            "\(path.shown): of \(Text.plural(signs, "line")) that seem to be hits, \(Text.number(misfitting)) "
            + "(\(Text.percent(misfitting, of: signs))) do not fit the layout"
        return Message.told("hits_do_not_fit", text, path: path)
    }

    private static func name(of draft: SourceDraft) -> String {
        "'\(draft.layoutText.shown)'"
    }
}
