import Foundation
import SchemaFixtures
import SchemaModel
import SchemaVersions
import Testing

@testable import Trellis
@testable import TrellisStore
@testable import TrellisModel

/// A store that is created from the schema alone must equal the store that the app creates.
struct CatalogueTests {
  @Test func everySchemaIsTested() throws {
    let folders = try FileManager.default.contentsOfDirectory(
      atPath: SchemaUnderTest.root.appendingPathComponent("Schemas").path)
    #expect(Set(folders.filter { !$0.hasPrefix(".") }) == Set(SchemaUnderTest.plans.keys))
    #expect(try SchemaUnderTest.oddities().count == 1)
    for (folder, plans) in SchemaUnderTest.plans {
      let versions = try SchemaUnderTest.versions(in: folder)
      #expect(versions.count == plans.reduce(0) { $0 + $1.schemas.count }, "\(folder)")
    }
  }

  @Test(arguments: SchemaUnderTest.sample) func theStoreEqualsTheProgramsStore(_ schema: SchemaUnderTest) throws {
    try inFolder { folder in
      let made = folder.appendingPathComponent("made.store")
      let own = folder.appendingPathComponent("own.store")
      try schema.fixture(rows: 0).write(to: made)
      let program = ModelConfiguration(schema: Schema(versionedSchema: schema.compiled), url: own)
      _ = try DefaultStore(program)
      let (one, other) = (try StoreReader(made), try StoreReader(own))
      #expect(try one.definitions == other.definitions)
      // An app that was built with an earlier version does not know that this version was released.
      let isHead = schema.version.version == schema.history.head.version
      #expect(try one.metadata.filter { isHead || $0.key != "released" } == other.metadata)
      #expect(try one.schema == other.schema)
      #expect(try one.text("fingerprint") != nil)
    }
  }
}
