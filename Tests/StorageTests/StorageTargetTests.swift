import Testing
import Trellis

@Suite struct StorageTargetTests {
  @Test func theSchemaIsCompiled() {
    #expect(Schema([StorageNote.self]).entities.map(\.name) == ["StorageNote"])
  }
}
