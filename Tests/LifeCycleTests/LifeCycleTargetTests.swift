import Testing
import Trellis

@Suite struct LifeCycleTargetTests {
  @Test func theSchemaIsCompiled() {
    #expect(Schema([LifeCycleNote.self]).entities.map(\.name) == ["LifeCycleNote"])
  }
}
