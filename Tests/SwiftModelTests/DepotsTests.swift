import Foundation
import Testing

@testable import Trellis
@testable import TrellisStore
@testable import TrellisModel

/// If a store is opened without a migration plan, either a column's values stay with their property, or the store is
/// rejected.
struct DepotsTests {
  private func withFile(_ body: (URL) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("depot \(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try body(folder.appendingPathComponent("a.store"))
  }

  private func context(_ url: URL, _ version: any VersionedSchema.Type) throws -> ModelContext {
    let schema = Schema(versionedSchema: version)
    return ModelContext(
      try ModelContainer(for: schema, configurations: ModelConfiguration(schema: schema, url: url)))
  }

  private func fill(_ url: URL) throws {
    let context = try context(url, Depot1.self)
    let shelf = Depot1.Shelf()
    context.insert(shelf)
    let (gear, cog) = (Depot1.Gear(number: 2), Depot1.Cog(number: 1))
    shelf.gears = [gear, cog]
    shelf.made = [cog]
    (gear.code, gear.wear, gear.note) = ("g", 0.5, "worn")
    cog.mark = "cog"
    context.insert(Depot1.Bolt(number: 3))
    try context.save()
  }

  @Test func valuesRemainWithTheirProperties() throws {
    try withFile { url in
      try fill(url)
      let context = try context(url, Depot2.self)
      let shelf = try #require(try context.fetch(FetchDescriptor<Depot2.Shelf>()).first)
      #expect(shelf.gears.map(\.number) == [2, 1] && shelf.made.map(\.number) == [1])
      #expect(shelf.gears.map { ($0 as? Depot2.Cog)?.mark } == [nil, "cog"] && shelf.gears.map(\.code) == ["g", nil])
      let bolt = try #require(try context.fetch(FetchDescriptor<Depot2.Bolt>()).first)
      #expect(bolt.mark == nil && bolt.shelf == nil && bolt.shelf_position == 5 && bolt.entity == nil)
      #expect(shelf.gears.map(\.text) == ["worn", nil] && shelf.gears.allSatisfy { $0.note == nil })
      #expect(shelf.gears.map(\.wear) == [0.5, nil])
      // The constraint still exists, although the class column has a new name.
      let gear = Depot2.Gear(number: 9)
      gear.code = "g"
      context.insert(gear)
      try context.save()
      #expect(try context.fetch(FetchDescriptor<Depot2.Gear>()).filter { $0.code == "g" }.map(\.number) == [9])
    }
  }

  @Test func storesThatWouldLoseValuesAreRejected() throws {
    try withFile { url in
      try fill(url)
      let error = #expect(throws: SwiftDataError.unknownDataStoreSchema) { try context(url, Depot3.self) }
      let explanation = error?.explanation ?? ""
      for reason in [
        "'Gear.other' gets its models from another relationship",
        "'Gear.maker' was a reference to 'Shelf' and is now 'Int'", "'Gear.wear' is declared by another class",
      ] { #expect(explanation.contains(reason), "\(explanation)") }
      #expect(try context(url, Depot1.self).fetch(FetchDescriptor<Depot1.Gear>()).count == 2)
    }
  }

  /// The class column no longer exists, and a property has its name.
  @Test func propertiesNamedLikeTheClassColumnDoNotReadIt() throws {
    try withFile { url in
      let former = try context(url, Depot4.self)
      former.insert(Depot4.Part(number: 1))
      try former.save()
      #expect(try context(url, Depot5.self).fetch(FetchDescriptor<Depot5.Part>()).map(\.entity) == ["none"])
    }
  }

  /// An app that still has the store open fetches a class that another app has renamed.
  @Test func anotherProgramRenamedAClass() throws {
    try withFile { url in
      let former = try context(url, Depot4.self)
      former.insert(Depot4.Bolt(number: 1))
      try former.save()
      #expect(try context(url, Depot6.self).fetch(FetchDescriptor<Depot6.Nail>()).map(\.number) == [1])
      #expect(throws: SwiftDataError.backwardMigration) {
        try ModelContext(former.container).fetch(FetchDescriptor<Depot4.Bolt>())
      }
    }
  }
}
