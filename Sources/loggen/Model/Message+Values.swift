import Reference

extension Message {
    /// What may stand after a `$` in a request, and in a row of `Oddities.tsv`.
    enum Value: String {
        case id, upperid, padded12, padded14, number, negative, delivery, upperdelivery, code, action
        /// `&mcId=…` for the messages that have one, and its digits.
        case mcid, digits
        /// The end of an IPv6 address; a TLS handshake instead of a request; the path of a request with a body.
        case host, tls, path
    }

    /// A hit as the app's SDK sends it.
    static let usualRequest = Template<Value>("GET /r/?id=h$id,$delivery,$code$mcid HTTP/1.1")

    func fill(_ template: Template<Value>, code: Int = 7, hasMcID: Bool = false) -> Bytes {
        template.filled { value, text in
            switch value {
            case .id: text.append(id)
            case .upperid: text.append(idText.uppercased())
            case .padded12: text.append(hex: number ?? 0, digits: 12)
            case .padded14: text.append(hex: number ?? 0, digits: 14)
            case .number: text.append(String(number ?? 0))
            case .negative: text.append(hex: (number ?? 0) & 0x7FFF_FFFF | 0x8000_0000)
            case .delivery: text.append(hex: delivery)
            case .upperdelivery: text.append(deliveryText.uppercased())
            case .code: text.append(decimal: code)
            case .action: text.append(Message.action(code))
            case .mcid where !hasMcID: break
            case .mcid, .digits:
                if value == .mcid { text.append("&mcId=") }
                // Two halves of 19 digits.
                text.append(decimal: Int(mcID >> 1), digits: 19)
                text.append(decimal: Int(SplitMix64.mix(mcID) >> 1), digits: 19)
            case .host: text.append(hex: UInt64(address & 0xFFFF))
            case .tls: text += [0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0xFC, 0x22, 0x5C]
            case .path: break
            }
        }
    }
}
