import Testing
import Trellis

@Suite struct ConcurrencyTargetTests {
  @Test func theSchemaIsCompiled() {
    #expect(Schema([ConcurrencyNote.self]).entities.map(\.name) == ["ConcurrencyNote"])
  }
}
