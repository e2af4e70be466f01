import Pipelines
import Warehouse

extension Sentence {
    /// Why the delivery files cannot be used, and what to do. `keepsDeliveries`: whether what was read before names any.
    func of(_ fault: DeliveryFault, keepsDeliveries: Bool) -> String {
        let end =
            keepsDeliveries
            ? "; what was read of the delivery files before stays" : "; until then no delivery has a name"
        return switch fault {
        case .noFiles(let patterns):
            "no delivery files (\(paths(patterns))); put them there, or check 'deliveries'" + end
        case .search(let error): of(error as any Error) + end
        case .unreadable(let path, let code):
            "\(paths(path)): cannot be read: \(Sentence.reason(code)); make the file readable and run again" + end
        case .foreign(let file): of(file) + end
        case .truncated(let path): "\(paths(path)): the file ends too early; give the whole file" + end
        case .damaged(let path): "\(paths(path)): the file is damaged; give a good copy" + end
        case .changed(let path):
            "\(paths(path)): the file changed while it was read; run again when it is written" + end
        case .badEncoding(let path, let line):
            "\(paths(path)):\(line): the file is not UTF-8 text; export it as UTF-8" + end
        case .openQuote(let path, let line):
            "\(paths(path)):\(line): a quote begins there and never ends; close it" + end
        case .longRow(let path, let line): "\(paths(path)):\(line): the row is longer than 1 MiB; shorten it" + end
        case .bareReturn(let path, let line):
            "\(paths(path)):\(line): the lines end in CR alone; save the file with line ends LF or CRLF" + end
        case .empty(let path): "\(paths(path)): the file is empty; it needs a header with the columns' names" + end
        case .missingColumn(let path, let line, let name, let near):
            "\(paths(path)):\(line): the header has no column '\(name.shown)'"
                + (near.map { ", did you mean '\($0.shown)'?" } ?? "")
                + "; name the column of the delivery ids in 'columns', as 'delivery_id'" + end
        case .duplicateColumn(let path, let line, let name):
            "\(paths(path)):\(line): the header has two columns '\(name.shown)'; rename one" + end
        }
    }

    func of(_ warning: DeliveryWarning) -> String {
        switch warning {
        case .badValue(let path, let line, let column):
            "\(paths(path)):\(line): the row was left out: its '\(column.shown)' cannot be read"
        case .tooManyFields(let path, let line):
            "\(paths(path)):\(line): the row was left out: it has more fields than the header"
        case .uncountable(let deliveries):
            "'sent' or 'delivered' of \(Text.few(deliveries) { $0.shown }) adds up to more than 9,223,372,036,854,775,807 "
                + "over the platforms, so the sum is unknown; check the delivery files"
        case .moreBadRows(let path, let count):
            "\(paths(path)): \(Text.plural(count, "more row")) \(count == 1 ? "was" : "were") left out"
        case .noRows(let path): "\(paths(path)): the file has a header and no rows, so it names no delivery"
        case .trailingBytes(let path, let offset):
            "\(paths(path)): bytes from offset \(offset) on are no gzip data and were ignored"
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
