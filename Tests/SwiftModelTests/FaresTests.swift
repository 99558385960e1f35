import Foundation
import Testing
import Trellis

/// Tests of a property whose type changes in a custom stage, as in SwiftData.
struct FaresTests {
  private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("fares \(UUID().uuidString)")

  private func open(
    _ version: any VersionedSchema.Type, _ plan: (any SchemaMigrationPlan.Type)? = nil
  ) throws -> ModelContext {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let schema = Schema(versionedSchema: version)
    let configuration = ModelConfiguration(schema: schema, url: folder.appendingPathComponent("fares.store"))
    return ModelContext(try ModelContainer(for: schema, migrationPlan: plan, configurations: configuration))
  }

  private func makeStore() throws {
    let context = try open(Fares1.self)
    context.insert(Fares1.Ride(name: "tram", price: 2.4))
    try context.save()
  }

  @Test func theErrorNamesTheTwoProperties() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try makeStore()
    let error = #expect(throws: SwiftDataError.self) { _ = try open(FaresDirectly.self, FaresDirectly.Plan.self) }
    let text = error?.explanation ?? ""
    #expect(
      text.hasSuffix(
        """
        the migration from 1.0.0 to 2.0.0 is incomplete, and nothing was touched:
          - 'Ride.price' was 'Double' and is now 'Int'
          - 'Ride.seats' is new and required, but has no default value
        'didMigrate' runs too late, when all rows already have their values: give a new property a default value or \
        make it optional, and set it in 'didMigrate'; if a property's type changes, keep the old values in a second \
        property, with the former name as its 'originalName', and remove it in a later version
        """), "\(text)")
  }

  @Test func theTwoPropertiesMigrate() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try makeStore()
    let rides = try open(Fares2.self, Fares2.Plan.self).fetch(FetchDescriptor<Fares2.Ride>())
    #expect(rides.map(\.price) == [240] && rides.map(\.formerPrice) == [2.4])
  }
}
