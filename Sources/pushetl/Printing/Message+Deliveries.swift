import Pipelines

extension Message {
    init(_ fault: DeliveryFault, keepsDeliveries: Bool, _ sentence: Sentence) {
        let (path, line): (String?, Int?) =
            switch fault {
            case .noFiles, .search: (nil, nil)
            case .unreadable(let path, _), .truncated(let path), .damaged(let path), .changed(let path),
                .empty(let path):
                (path, nil)
            case .foreign(let file): (file.path, nil)
            case .badEncoding(let path, let line), .openQuote(let path, let line), .longRow(let path, let line),
                .bareReturn(let path, let line), .missingColumn(let path, let line, _, _),
                .duplicateColumn(let path, let line, _):
                (path, line)
            }
        self.init(
            "deliveries_" + Message.code(of: fault), sentence.of(fault, keepsDeliveries: keepsDeliveries),
            path: path.map { sentence.paths.opening($0) }, line: line)
    }

    init(_ warning: DeliveryWarning, _ sentence: Sentence) {
        let (path, line): (String?, Int?) =
            switch warning {
            case .uncountable: (nil, nil)
            case .badValue(let path, let line, _), .tooManyFields(let path, let line): (path, line)
            case .moreBadRows(let path, _), .noRows(let path), .trailingBytes(let path, _): (path, nil)
            }
        self.init(
            "deliveries_" + Message.code(of: warning), sentence.of(warning),
            path: path.map { sentence.paths.opening($0) }, line: line)
    }
}
