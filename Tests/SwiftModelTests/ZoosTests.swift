import Foundation
import Testing

@testable import Trellis
@testable import TrellisStore
@testable import TrellisModel

/// Later releases open stores with class hierarchies without a migration plan. Either nothing is lost, or the store
/// does not open.
struct ZoosTests {
  private func withStore(_ body: (URL) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("zoo \(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let url = folder.appendingPathComponent("a.store")
    let context = try Self.context(url, Zoo1.self)
    let (animal, bird, parrot, owl) = (
      Zoo1.Animal(legs: 4), Zoo1.Bird(legs: 2), Zoo1.Parrot(legs: 3), Zoo1.Owl(legs: 5)
    )
    parrot.word = "hello"
    let keeper = Zoo1.Keeper()
    context.insert(keeper)
    keeper.animals = [animal, bird, parrot, owl]
    keeper.favorite = animal
    try context.save()
    try body(url)
  }

  private static func context(_ url: URL, _ version: any VersionedSchema.Type) throws -> ModelContext {
    let schema = Schema(versionedSchema: version)
    return ModelContext(
      try ModelContainer(for: schema, configurations: ModelConfiguration(schema: schema, url: url)))
  }

  @Test(
    arguments: [
      (Zoo2.self, "'Parrot.word' is declared by another class"),
      (Zoo3.self, "'Bird.word' is new and required, but has no default value"),
      (Zoo4.self, "'Parrot' has a different superclass"),
      (Zoo5.self, "'Owl' is no longer in the schema, and its rows would be lost: Owl/4"),
      (Zoo6.self, "the pairs in 'Keeper_animals' were references before"),
      (Zoo7.self, "'Keeper.favorite' now refers to 'Bird' instead of 'Animal'"),
    ] as [(any VersionedSchema.Type, String)])
  func storesThatWouldLoseValuesAreRejected(_ version: any VersionedSchema.Type, reason: String) throws {
    try withStore { url in
      let error = #expect(throws: SwiftDataError.unknownDataStoreSchema) { try Self.context(url, version) }
      #expect(error?.explanation?.contains(reason) == true, "\(error?.explanation ?? "")")
      let animals = try Self.context(url, Zoo1.self).fetch(FetchDescriptor<Zoo1.Animal>())
      #expect(animals.count == 4 && animals.allSatisfy { $0.keeper != nil })
    }
  }

  @Test func classesWithoutRowsCanBeRemoved() throws {
    try withStore { url in
      let former = try Self.context(url, Zoo1.self)
      try former.delete(model: Zoo1.Owl.self)
      try former.save()
      #expect(try Self.context(url, Zoo5.self).fetch(FetchDescriptor<Zoo5.Animal>()).count == 3)
    }
  }
}
