import Testing

@testable import SchemaEmitter

struct NamingTests {
  @Test func outputNamesDependOnlyOnInputNames() {
    #expect(
      GeneratedNames.outputs(heads: ["a/Trips.schema", "b/Guests.v2.schema"], target: "App") == [
        "Trips+Models.swift", "Trips+Codecs.swift", "Guests.v2+Models.swift",
        "Guests.v2+Codecs.swift", "App+Versions.swift", "App+Stages.swift", "App+Macros.swift",
      ])
    #expect(GeneratedNames.outputs(heads: [], target: "App") == ["App+Macros.swift"])
  }

  @Test func frozenVersionsAreNotHeads() {
    #expect(GeneratedNames.isHead("Sources/App/App.schema"))
    #expect(!GeneratedNames.isHead("Sources/App/versions/App-1.0.0/App.schema"))
    #expect(GeneratedNames.isHead("Sources/App/versions.schema"))
  }

  @Test func fileStemsYieldDistinctIdentifiers() {
    let stems = ["a_b", "a-b", "a.b", "a b", "a'b", "é.v2"]
    #expect(Set(stems.map(FileEmitter.identifier)).count == stems.count)
    #expect(stems.map(FileEmitter.identifier).joined().allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" })
  }

  @Test func duplicateStemsAreRejected() {
    #expect(GeneratedNames.clashes(["a/X.schema", "b/Y.schema"]).isEmpty)
    #expect(
      GeneratedNames.clashes(["b/x.schema", "a/X.schema"]) == [
        "error: a/X.schema and b/x.schema would both be generated into 'x+Models.swift': rename one of them"
      ])
  }
}
