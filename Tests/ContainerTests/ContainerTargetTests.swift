import Testing
import Trellis

@Suite struct ContainerTargetTests {
  @Test func theSchemaIsCompiled() {
    #expect(Schema([ContainerNote.self]).entities.map(\.name) == ["ContainerNote"])
  }
}
