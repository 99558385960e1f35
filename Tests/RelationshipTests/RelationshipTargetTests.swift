import Testing
import Trellis

@Suite struct RelationshipTargetTests {
  @Test func theSchemaIsCompiled() {
    #expect(Schema([RelationshipNote.self]).entities.map(\.name) == ["RelationshipNote"])
  }
}
