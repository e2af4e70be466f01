import Ledger
import Pipelines

extension Sentence {
    /// Why the delivery files cannot be used, and what to do. `keepsDeliveries`: whether what was read before names any.
    func message(_ fault: DeliveryFault, keepsDeliveries: Bool) -> Message {
        let end =
            keepsDeliveries
            ? "; what was read from the delivery files before is kept" : "; until then no delivery has a name"
        return switch fault {
        case .noFiles(let patterns):
            Message(
                "deliveries_no_files",
                "no delivery files (\(paths(patterns))); put them there, or check 'deliveries'" + end)
        case .search(let error): Message("deliveries_search", of(error as any Error) + end)
        case .unreadable(let path, let code):
            at(
                path, "deliveries_unreadable",
                "cannot be read: \(Sentence.reason(code)); make the file readable and run again" + end)
        case .foreign(let file):
            Message(
                "deliveries_foreign", of(file, kindsRead: "delivery files in gzip and plain text") + end,
                path: paths.opening(file.path))
        case .truncated(let path):
            at(path, "deliveries_truncated", "the file ends too early; give the whole file" + end)
        case .damaged(let path): at(path, "deliveries_damaged", "the file is damaged; give a good copy" + end)
        case .changed(let path):
            at(path, "deliveries_changed", "the file changed while it was read; run again when it is complete" + end)
        case .badEncoding(let path, let line):
            at(path, line: line, "deliveries_bad_encoding", "the file is not UTF-8 text; export it as UTF-8" + end)
        case .openQuote(let path, let line):
            at(path, line: line, "deliveries_open_quote", "a quote begins there and never ends; close it" + end)
        case .longRow(let path, let line):
            at(path, line: line, "deliveries_long_row", "the row is longer than 1 MiB; shorten it" + end)
        case .bareReturn(let path, let line):
            at(
                path, line: line, "deliveries_bare_return",
                "the lines end in CR alone; save the file with line endings LF or CRLF" + end)
        case .empty(let path):
            at(path, "deliveries_empty", "the file is empty; it needs a header with the columns' names" + end)
        case .missingColumn(let path, let line, let name, let near):
            at(
                path, line: line, "deliveries_missing_column",
                "the header has no column '\(name.shown)'"
                    + (near.map { ", did you mean '\($0.shown)'?" } ?? "")
                    + "; name the column of the delivery ids in 'columns', as 'delivery_id'" + end)
        case .duplicateColumn(let path, let line, let name):
            at(
                path, line: line, "deliveries_duplicate_column",
                "the header has two columns '\(name.shown)'; rename one" + end)
        }
    }

    func message(_ warning: DeliveryWarning) -> Message {
        switch warning {
        case .badValue(let path, let line, let column):
            at(
                path, line: line, "deliveries_bad_value",
                "the value of '\(column.shown)' cannot be read and counts as empty")
        case .badKey(let path, let line, let column):
            at(path, line: line, "deliveries_bad_row", "the row was left out: its '\(column.shown)' cannot be read")
        case .tooManyFields(let path, let line):
            at(
                path, line: line, "deliveries_too_many_fields",
                "the row was left out: it has more fields than the header")
        case .uncountable(let deliveries):
            Message(
                "deliveries_uncountable",
                "'sent' or 'delivered' of \(Text.few(deliveries) { $0.shown }) adds up to more than 9,223,372,036,854,775,807 "
                    + "over the platforms, so the sum is unknown; check the delivery files")
        case .moreFaults(let path, let count):
            at(
                path, "deliveries_more_bad_rows",
                count == 1
                    ? "1 more row or value cannot be read" : "\(Text.number(count)) more rows or values cannot be read")
        case .noRows(let path):
            at(path, "deliveries_no_rows", "the file has a header and no rows, so it names no delivery")
        case .trailingBytes(let path, let offset):
            at(
                path, "deliveries_trailing_bytes",
                "the bytes from offset \(offset) on are not gzip data and were ignored")
        }
    }

    /// Deliveries of which more messages arrived than were sent.
    func of(_ understated: [UnderstatedDelivery]) -> String {
        let list = Text.few(understated) { delivery in
            "\(delivery.id.shown)\(delivery.platform.map { " on \($0.name)" } ?? "") (\(Text.number(delivery.sent)) sent, "
                + "\(Text.number(delivery.arrived)) arrived)"
        }
        return
            "\(understated.count == 1 ? "1 delivery" : "\(Text.number(understated.count)) deliveries") arrived more often than sent: \(list); "
            + "check 'sent' in the delivery files"
    }
}
