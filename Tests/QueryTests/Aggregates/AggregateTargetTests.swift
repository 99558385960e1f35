import Testing
import Trellis

@testable import TestWorlds

@Suite struct AggregateTargetTests {
  @Test func theSchemaIsCompiled() {
    #expect(Schema([Region.self]).entities.contains { $0.name == "Region" })
  }
}
