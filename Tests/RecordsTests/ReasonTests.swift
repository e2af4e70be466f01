import Records
import Testing

@Suite struct ReasonTests {
    @Test func everyReasonHasACodeOfItsOwn() {
        let codes = FilterReason.allCases.map(\.code) + RejectReason.allCases.map(\.code)
        #expect(Set(codes).count == 23)
    }
}
