import ClassicV1
import ClassicV2
import Foundation
import PostgresSupport
import SampleTripsGolden
import TestTraits
import Testing
import Trellis
import TrellisPostgres
import TrellisTesting

/// Populated stores of older versions, both in a file and in a database. Their contents must be equal after the
/// migration.
@Suite(.waiting) struct SameAsAFileTests {
  struct Old<each Model: PersistentModel>: VersionedSchema {
    static var models: [any PersistentModel.Type] {
      var all: [any PersistentModel.Type] = []
      repeat all.append((each Model).self)
      return all
    }
    static var versionIdentifier: Schema.Version { Schema.Version(1, 0, 0) }
  }

  struct New<each Model: PersistentModel>: VersionedSchema {
    static var models: [any PersistentModel.Type] {
      var all: [any PersistentModel.Type] = []
      repeat all.append((each Model).self)
      return all
    }
    static var versionIdentifier: Schema.Version { Schema.Version(2, 0, 0) }
  }

  enum Plan<Before: VersionedSchema, After: VersionedSchema>: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [Before.self, After.self] }
    static var stages: [MigrationStage] { [] }
  }

  enum Accepting<Before: VersionedSchema, After: VersionedSchema>: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [Before.self, After.self] }
    static var stages: [MigrationStage] { [] }
    static var steps: [MigrationSteps] {
      [
        MigrationSteps(
          fromVersion: Before.self, toVersion: After.self,
          [
            .accept(
              ["Team.sponsor", "Club.home", "Club.halls", "Club.owners", "Club.motto", "Choir.singers", "Singer.choir"]
                .filter { name in
                  After.models.contains { Schema.entityName(for: $0) == name.prefix { $0 != "." } }
                })
          ])
      ]
    }
  }

  struct Case: Sendable, CustomTestStringConvertible {
    let plan: any SchemaMigrationPlan.Type
    /// True if the rows are not rewritten.
    let isInPlace: Bool
    let testDescription: String

    init(_ name: String, _ plan: any SchemaMigrationPlan.Type, inPlace: Bool = false) {
      self.plan = plan
      isInPlace = inPlace
      testDescription = name
    }
  }

  static let cases: [Case] = [
    Case(
      "renamed models, properties that exchange their names",
      Plan<Old<ClassicV1.Journey, ClassicV1.Pair>, New<ClassicV2.Voyage, ClassicV2.Pair>>.self, inPlace: true),
    Case(
      "a property and a model with new columns", Plan<Old<ClassicV1.Reading>, New<ClassicV2.Reading>>.self,
      inPlace: true),
    Case("types that hold every old value", Plan<Old<ClassicV1.Numbers>, New<ClassicV2.Numbers>>.self),
    Case(
      "renamed classes of a hierarchy",
      Plan<
        Old<ClassicV1.Vehicle, ClassicV1.Car, ClassicV1.Bicycle>,
        New<ClassicV2.Vehicle, ClassicV2.Automobile, ClassicV2.Bicycle>
      >.self, inPlace: true),
    Case(
      "a class that is gone",
      Plan<
        Old<ClassicV1.Vehicle, ClassicV1.Car, ClassicV1.Bicycle>, New<ClassicV2.Vehicle, ClassicV2.Automobile>
      >.self),
    Case("a removed property", Plan<Old<ClassicV1.Customer>, New<ClassicV2.Customer>>.self, inPlace: true),
    Case("removed models", Plan<Old<ClassicV1.Log, ClassicV1.Home, ClassicV1.Mark>, New<ClassicV2.Mark>>.self),
    Case("a reference that becomes a list", Plan<Old<ClassicV1.Author>, New<ClassicV2.Author>>.self),
    Case("lists that become references", Accepting<Old<ClassicV1.Team>, New<ClassicV2.Team>>.self),
    Case(
      "relationships that are lost",
      Accepting<Old<ClassicV1.Club, ClassicV1.Coach>, New<ClassicV2.Club, ClassicV2.Coach>>.self),
    Case("a list that gets an inverse", Accepting<Old<ClassicV1.Choir>, New<ClassicV2.Choir>>.self),
    Case("fields of flattened structs", Plan<Old<ClassicV1.Sheet>, New<ClassicV2.Sheet>>.self, inPlace: true),
    Case("another superclass", Plan<Old<ClassicV1.Mail, ClassicV1.Parcel>, New<ClassicV2.Mail, ClassicV2.Parcel>>.self),
    Case("a unique constraint", Plan<Old<ClassicV1.Badge>, New<ClassicV2.Badge>>.self, inPlace: true),
    Case("a required property without a value", Plan<Old<ClassicV1.Album>, New<ClassicV2.Album>>.self),
    Case(
      "default values of all kinds", Plan<Old<YardSchema.V1_0_0.Meter>, New<Meter>>.self, inPlace: true),
    Case(
      "properties of a subclass",
      Plan<
        Old<YardSchema.V1_0_0.Vessel, YardSchema.V1_0_0.Tug, YardSchema.V1_0_0.Raft, YardSchema.V1_0_0.Berth>,
        New<Vessel, Tug, Raft, Berth>
      >.self, inPlace: true),
    Case("fills, custom steps and dedupe", Classic.Plan.self),
    Case("the sample application", SampleTripsMigrationPlan.self),
  ]

  // Even a short run tests all cases, because each uses different statements.
  @Test(arguments: cases) func contentsAreEqual(_ test: Case) throws { try compare(test, hasPlan: true) }

  /// Either both stores are opened or both are rejected.
  @Test(arguments: cases) func contentsAreEqualWithoutAPlan(_ test: Case) throws { try compare(test, hasPlan: false) }

  private func compare(_ test: Case, hasPlan: Bool) throws {
    let versions = test.plan.schemas
    for (index, old) in versions.enumerated() {
      for new in versions.dropFirst(index + 1) { try compare(old, new, test, hasPlan: hasPlan) }
    }
  }

  private func compare(
    _ old: any VersionedSchema.Type, _ new: any VersionedSchema.Type, _ test: Case, hasPlan: Bool
  ) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("same-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = ModelConfiguration(url: folder.appendingPathComponent("a.store"))
    let fixture = try PostgresFixture()
    func containers(_ version: any VersionedSchema.Type, _ body: (Int, ModelContainer) throws -> Void) throws
      -> [String?]
    {
      let all: [any DataStoreConfiguration] = [file, fixture.configuration]
      return all.enumerated().map { number, configuration in
        do {
          let schema = Schema(versionedSchema: version)
          try body(
            number,
            ModelContainer(for: schema, migrationPlan: hasPlan ? test.plan : nil, configurations: [configuration]))
          return nil
        } catch {
          return "\(error)"
        }
      }
    }
    func same(_ version: any VersionedSchema.Type) throws {
      var contents: [StoreContents] = []
      let errors = try containers(version) { contents.append(try StoreContents(of: version, $1)) }
      if contents.count < 2 {
        // Both stores are rejected for the same reason.
        #expect(errors[0] != nil && errors[1] != nil, "\(errors)")
        return
      }
      #expect(contents[1].difference(from: contents[0]) == nil)
    }
    let failures = try containers(old) { try StoreFixture(old, rowsPerModel: 12).write(into: $1) }
    try #require(failures == [nil, nil])
    try same(old)
    if test.isInPlace, hasPlan {
      let obstacles = try fixture.migration(test.plan).obstacles
      #expect(obstacles == [])
    }
    try same(new)
    try same(new)
  }
}
