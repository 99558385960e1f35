import Testing
import Trellis

@Suite struct PredicateTargetTests {
  @Test func theSchemaIsCompiled() {
    #expect(Schema([PredicateNote.self]).entities.map(\.name) == ["PredicateNote"])
  }
}
