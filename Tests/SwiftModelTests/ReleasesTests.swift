import Foundation
import Testing
import TrellisSQLite

@testable import Trellis
@testable import TrellisStore
@testable import TrellisModel

/// Later releases of a program open its stores without a migration plan.
struct ReleasesTests {
  private func withStore(
    prepare: (ModelContext) -> Void = { _ in }, _ body: (_ url: URL, _ first: ModelContext) throws -> Void
  ) throws {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("release \(UUID().uuidString).store")
    defer {
      let folder = url.deletingLastPathComponent()
      for name in (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
      where name.contains(url.lastPathComponent) {
        try? FileManager.default.removeItem(at: folder.appendingPathComponent(name))
      }
    }
    let context = try Self.context(url, Release1.self)
    let owner = Release1.Owner(name: "a")
    context.insert(owner)
    owner.items = [Release1.Item(title: "x"), Release1.Item(title: "y")]
    owner.first = [owner.items[0]]
    prepare(context)
    try context.save()
    try body(url, context)
  }

  private static func context(_ url: URL, _ version: any VersionedSchema.Type) throws -> ModelContext {
    let schema = Schema(versionedSchema: version)
    return ModelContext(
      try ModelContainer(for: schema, configurations: ModelConfiguration(schema: schema, url: url)))
  }

  @Test func deleteRulesAndOptionalsChange() throws {
    try withStore { url, first in
      let connection = try Self.query(url)
      let context = try Self.context(url, Release2.self)
      let owner = try #require(try context.fetch(FetchDescriptor<Release2.Owner>()).first)
      #expect(owner.note == "none" && owner.rank == 7 && owner.items.map(\.title).sorted() == ["x", "y"])
      #expect(owner.first.map(\.title) == ["x"] && owner.items[0].picture.count == 300_000)
      owner.rank = nil
      try context.save()
      context.insert(Release2.Owner(name: "a"))
      try context.save()
      #expect(try context.fetchCount(FetchDescriptor<Release2.Owner>()) == 1)
      // The files of external values are deleted with their rows.
      try context.fetch(FetchDescriptor<Release2.Owner>()).forEach(context.delete)
      try context.save()
      #expect(try context.fetchCount(FetchDescriptor<Release2.Item>()) == 0)
      #expect(try connection.rows("PRAGMA foreign_key_check").isEmpty)
      #expect(try connection.rows("PRAGMA integrity_check").first?.first == .text("ok"))
      // Rows were rewritten, so the first app can no longer read or save anything.
      #expect(throws: SwiftDataError.backwardMigration) { try first.fetchCount(FetchDescriptor<Release1.Item>()) }
      first.insert(Release1.Item(title: "z"))
      #expect(throws: SwiftDataError.backwardMigration) { try first.save() }
    }
  }

  @Test func newlyRequiredPropertiesNeedValues() throws {
    try withStore { url, first in
      let error = #expect(throws: SwiftDataError.unknownDataStoreSchema) { try Self.context(url, Release3.self) }
      #expect(
        error?.explanation?.contains("'Owner.note' has no default value, and there are rows without a value: Owner/1")
          == true)
      let owner = try #require(try first.fetch(FetchDescriptor<Release1.Owner>()).first)
      owner.note = "here"
      try first.save()
      let context = try Self.context(url, Release3.self)
      #expect(try context.fetch(FetchDescriptor<Release3.Owner>()).map(\.note) == ["here"])
    }
  }

  @Test func foreignColumnsAreNotLost() throws {
    try withStore { url, _ in
      try Self.query(url).execute("ALTER TABLE \"Owner\" ADD COLUMN \"foreign\" TEXT DEFAULT 'kept'")
      let error = #expect(throws: SwiftDataError.self) { try Self.context(url, Release2.self) }
      #expect(error?.storeProblem == .drifted)
      #expect(error?.explanation?.contains("column 'Owner.foreign' belongs to no version of the schema") == true)
    }
  }

  @Test func runningProgramsDetectExchangedNames() throws {
    try withStore { url, first in
      #expect(try first.fetchCount(FetchDescriptor<Release1.Owner>(predicate: #Predicate { $0.name == "a" })) == 1)
      let context = try Self.context(url, Release4.self)
      let owner = try #require(try context.fetch(FetchDescriptor<Release4.Owner>()).first)
      #expect(owner.name == "nick" && owner.nickname == "a")
      #expect(throws: SwiftDataError.backwardMigration) {
        try first.fetchCount(FetchDescriptor<Release1.Owner>(predicate: #Predicate { $0.name == "a" }))
      }
    }
  }

  @Test func referencesDoNotBecomeInversesOfEachOther() throws {
    try withStore { url, _ in
      let error = #expect(throws: SwiftDataError.unknownDataStoreSchema) { try Self.context(url, Release6.self) }
      let text = error?.explanation ?? ""
      #expect(
        text.contains("'Left.right' is now the inverse of 'Right.left', but both had separate values before"),
        "\(text)")
    }
  }

  @Test func namesOfModelsAndListsAreNotConfused() throws {
    try withStore { url, _ in
      let context = try Self.context(url, Release5.self)
      let owner = try #require(try context.fetch(FetchDescriptor<Release5.Owner>()).first)
      #expect(owner.second.map(\.title) == ["x"] && owner.first.isEmpty)
      #expect(owner.items.map(\.title).sorted() == ["x", "y"])
      #expect(owner.items.allSatisfy { $0.picture == Data(repeating: 7, count: 300_000) })
      #expect(try context.fetchCount(FetchDescriptor<Release5.Item>()) == 0)
    }
  }

  private static func query(_ url: URL) throws -> Connection {
    try Connection(url.path, .existing)
  }
}
