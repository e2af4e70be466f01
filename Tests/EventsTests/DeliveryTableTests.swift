import Testing

@testable import Events

@Suite struct DeliveryTableTests {
    @Test func eachIDHasOneNumberHoweverManyThereAre() {
        var table = DeliveryTable()
        var known: [[UInt8]: UInt32] = [:]
        for round in 0..<3 {
            for number in 0..<3000 {
                for length in [1, 2, 3, 4, 5, 7, 8, 9, 16, 36] {
                    let digits = Array(String(number * 7 + round, radix: 36).utf8)
                    let id = [UInt8](repeating: UInt8(ascii: "-"), count: max(0, length - digits.count)) + digits
                    let index = table.index(of: id.span)
                    #expect(index == known[id] ?? UInt32(known.count))
                    known[id] = index
                }
            }
        }
        #expect(table.count == known.count)
        for (id, index) in known where table.text(index) != String(decoding: id, as: UTF8.self) {
            Issue.record("\(id) is \(table.text(index))")
        }
    }

    @Test func idsThatDifferInOneByteAreTwo() {
        for length in 1...20 {
            var table = DeliveryTable()
            let id = [UInt8](repeating: UInt8(ascii: "a"), count: length)
            #expect(table.index(of: id.span) == 0)
            for place in 0..<length {
                var other = id
                other[place] = UInt8(ascii: "b")
                #expect(table.index(of: other.span) == UInt32(1 + place))
            }
            #expect(table.index(of: (id + [0]).span) == UInt32(1 + length))
            #expect(table.index(of: id.span) == 0)
        }
    }
}
