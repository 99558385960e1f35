import Testing
import Trellis

@Suite struct AggregateTargetTests {
  @Test func theSchemaIsCompiled() {
    #expect(Schema([AggregateNote.self]).entities.map(\.name) == ["AggregateNote"])
  }
}
