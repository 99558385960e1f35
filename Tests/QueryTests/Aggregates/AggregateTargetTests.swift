@testable import TestWorlds
import Testing
import Trellis

@Suite struct AggregateTargetTests {
  @Test func theSchemaIsCompiled() {
    #expect(Schema([Region.self]).entities.contains { $0.name == "Region" })
  }
}
