import Foundation
import Testing
import Trellis

/// A migration compares the raw types of enums inside collections, because a changed raw type would make the values
/// unreadable.
struct PaintTests {
  @Test func rawTypesInCollections() throws {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("paint \(UUID().uuidString).store")
    defer { try? FileManager.default.removeItem(at: url) }
    func open(_ version: any VersionedSchema.Type, plan: (any SchemaMigrationPlan.Type)? = nil) throws -> ModelContainer
    {
      let schema = Schema(versionedSchema: version)
      return try ModelContainer(
        for: schema, migrationPlan: plan, configurations: ModelConfiguration(schema: schema, url: url))
    }
    do {
      let context = ModelContext(try open(PaintV1.self))
      context.insert(PaintV1.Wall([.light, .dark]))
      try context.save()
    }
    let error = #expect(throws: SwiftDataError.self) { try open(PaintV2.self, plan: PaintPlan.self) }
    let text = String(describing: error)
    #expect(
      text.contains("'Wall.tones'") && text.contains("'Wall.places'") && text.contains("nothing was touched"), "\(text)"
    )
    let context = ModelContext(try open(PaintV1.self))
    #expect(try context.fetch(FetchDescriptor<PaintV1.Wall>()).map(\.tones) == [[.light, .dark]])
  }
}
