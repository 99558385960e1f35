import Testing
import Trellis

@Suite struct FetchTargetTests {
  @Test func theSchemaIsCompiled() {
    #expect(Schema([FetchNote.self]).entities.map(\.name) == ["FetchNote"])
  }
}
