import Foundation
import Testing

@testable import Trellis
@testable import TrellisStore
@testable import TrellisModel

@Suite struct SchemaChangeTests {
  private let fixture: StoreFixture

  init() throws {
    fixture = try StoreFixture(PlaceV1.self)
    let places = ["a", "e\u{301}"].map { name in
      PlaceV1.Snapshot().with {
        $0.name = name
        $0.rating = 3
      }
    }
    try fixture.open().save(insert: places.map { $0.snapshot() })
  }

  @Test func additionsAndRenamingsAreApplied() throws {
    let identifier = try fixture.open().identifier
    let schema = Schema([PlaceV2.self, Member.self], version: .init(1, 1, 0))
    let store = try fixture.open(schema)
    #expect(store.identifier == identifier)
    let places = try store.values(PlaceV2.Snapshot.self)
    #expect(places.map(\.title) == ["a", "e\u{301}"])
    #expect(places.map(\.rating) == [3, 3])
    #expect(places.map(\.visits) == [7, 7])
    #expect(places.allSatisfy { $0.weight.isNaN && $0.note == nil && $0.parent == nil })
    #expect(store.marks.mayHoldNonNFC("Site", "title"))
    let more = try store.save(insert: [PlaceV2.Snapshot().snapshot(), Member.Snapshot().snapshot()])
    let row = try #require(more[0].row)
    #expect(row > 2)
    #expect(try fixture.complaints() == "")
    // The second opening changes nothing.
    let before = try fixture.shell("PRAGMA schema_version; SELECT * FROM trellis_metadata")
    _ = try fixture.open(schema)
    #expect(try fixture.shell("PRAGMA schema_version; SELECT * FROM trellis_metadata") == before)
    #expect(throws: SwiftDataError.backwardMigration) { try fixture.open() }
  }

  @Test func otherDifferencesAreListedAndNothingIsChanged() throws {
    let before = try fixture.contents()
    let error = #expect(throws: SwiftDataError.unknownDataStoreSchema) {
      try fixture.open(Schema(PlaceV3.self))
    }
    #expect(error?.storeProblem == .differentSchema)
    let lines = error?.explanation?.split(separator: "\n").dropFirst().map(String.init) ?? []
    #expect(lines.last?.hasPrefix("No version of this schema has been released yet.") == true)
    #expect(
      lines.dropLast() == [
        "  - 'Place.name' was 'String' and is now 'Int', whose values are stored differently",
        "  - 'Place.code' is new and required, but has no default value",
        "  - 'Place.rating' is no longer in the schema, and its values would be lost: Place/1, Place/2",
        "write a migration plan that begins with the store's schema, or, if only a name has changed, declare the "
          + "former name as 'originalName'",
      ])
    let gone = #expect(throws: SwiftDataError.self) { try fixture.open(Schema(Member.self)) }
    #expect(gone?.explanation?.contains("'Place' is no longer in the schema, and its rows would be lost") == true)
    #expect(try fixture.contents() == before)
    #expect(try fixture.open().values(PlaceV1.Snapshot.self).count == 2)
  }

  @Test func violatedConstraintsPreventTheChange() throws {
    try fixture.open().save(insert: [PlaceV1.Snapshot().with { $0.name = "a" }.snapshot()])
    let error = #expect(throws: SwiftDataError.self) { try fixture.open(Schema(PlaceV2.self)) }
    #expect(error?.storeProblem == .differentSchema)
    #expect(error?.explanation?.contains("the values of title of 'Site' are not unique") == true)
    #expect(try fixture.open().values(PlaceV1.Snapshot.self).map(\.name).count == 3)
  }

  @Test func readersDoNotChangeTheFile() throws {
    let before = try fixture.contents()
    let error = #expect(throws: SwiftDataError.self) {
      try fixture.open(Schema(PlaceV2.self), allowsSave: false)
    }
    #expect(error?.storeProblem == .needsMigration)
    let same = try fixture.open(
      Schema([PlaceV1.self], version: .init(1, 5, 0)), allowsSave: false)
    #expect(try same.values(PlaceV1.Snapshot.self).count == 2)
    #expect(try fixture.contents() == before)
  }
}
