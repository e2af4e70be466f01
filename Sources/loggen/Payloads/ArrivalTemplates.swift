/// Encoded bodies of ordinary arrival reports, one for each order of their keys, in which only the values are missing.
///
/// They are made by writing such reports as any other and cutting them where the values stand, so that they cannot
/// differ from what `Arrival` writes.
struct ArrivalTemplates: Sendable {
    static let shared = ArrivalTemplates()

    private enum Value: CaseIterable, Sendable {
        case security, time, id, delivery, notification
    }

    /// Constant bytes, and the value that comes after them; nil at the end.
    private struct Piece: Sendable {
        var range: Range<Int>
        var value: Value?
    }

    private var bytes: [UInt8] = []
    private var pieces: [Piece] = []

    private static let turns = 3
    private static let dataTurns = 4
    private static let titles = 4
    private static let piecesEach = Value.allCases.count + 1

    private init() {
        for first in 0..<2 {
            for turn in 0..<Self.turns {
                for dataTurn in 0..<Self.dataTurns {
                    for title in 0..<Self.titles {
                        add(Arrival.Order(bits: UInt64(first | turn << 1 | dataTurn << 9 | title << 17)))
                    }
                }
            }
        }
    }

    /// The body of a report, but for the end of its line.
    func write(_ message: Message, time: Int, order bits: UInt64, into body: inout ByteBuffer) {
        let order = Arrival.Order(bits: bits)
        let place = (order.beginsWithSecurity ? 0 : Self.turns) + order.turn % Self.turns
        let template = (place * Self.dataTurns + order.dataTurn % Self.dataTurns) * Self.titles + order.title
        bytes.withUnsafeBytes { bytes in
            for piece in template * Self.piecesEach..<(template + 1) * Self.piecesEach {
                body.append(UnsafeRawBufferPointer(rebasing: bytes[pieces[piece].range]))
                switch pieces[piece].value {
                case .security: body.append(hex: order.security, digits: 16)
                case .time: body.append(decimal: time)
                case .id: body.append(message.id)
                case .delivery: body.append(hex: message.delivery)
                case .notification: body.append(hex: message.notification, digits: 16)
                case nil: break
                }
            }
        }
    }

    /// Cuts a report whose values occur once each.
    private mutating func add(_ order: Arrival.Order) {
        let message = Message(
            id: .hex(0x1234_5678), date: Day(number: 0), delivery: 0xABC_DEF0, rank: 0, agent: 0, mcID: .max,
            address: 0, chain: 0, delay: 0)
        let time = 1_111_111_111_111
        var json = ByteBuffer()
        Arrival(message: message, time: time).write(order: order.bits, into: &json)
        var body = ByteBuffer()
        body.append("mzip=")
        json.contents.withUnsafeBytes { body.appendFormEncoded($0) }
        let written = body.contents

        var places: [(start: Int, end: Int, value: Value?)] = Value.allCases.map { value in
            let text =
                switch value {
                case .security: hexText(order.security, 16)
                case .time: String(time)
                case .id: message.idText
                case .delivery: message.deliveryText
                case .notification: hexText(message.notification, 16)
                }
            let start = written.indices.first { written[$0...].starts(with: text.utf8) } ?? written.count
            return (start, start + text.utf8.count, value)
        }
        places.sort { $0.start < $1.start }
        places.append((written.count, written.count, nil))
        var end = 0
        for place in places {
            let start = bytes.count
            bytes += written[end..<place.start]
            pieces.append(Piece(range: start..<bytes.count, value: place.value))
            end = place.end
        }
    }
}
