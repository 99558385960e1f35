import ClassicV1
import ClassicV2
import ClassicV3
import Testing
import Trellis

/// Structs with a column for each field, and new fields.
@Suite struct FlattenedFieldTests {
  enum Sheets1: VersionedSchema {
    static var models: [any PersistentModel.Type] { [ClassicV1.Sheet.self] }
    static var versionIdentifier: Schema.Version { Schema.Version(1, 0, 0) }
  }

  enum Sheets2: VersionedSchema {
    static var models: [any PersistentModel.Type] { [ClassicV2.Sheet.self] }
    static var versionIdentifier: Schema.Version { Schema.Version(2, 0, 0) }
  }

  /// The version without defaults.
  enum Sheets3: VersionedSchema {
    static var models: [any PersistentModel.Type] { [ClassicV3.Sheet.self] }
    static var versionIdentifier: Schema.Version { Schema.Version(3, 0, 0) }
  }

  enum InPlace: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [Sheets1.self, Sheets2.self, Sheets3.self] }
    static var stages: [MigrationStage] { [] }
  }

  enum Rewriting: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [Sheets1.self, Sheets2.self, Sheets3.self] }
    static var stages: [MigrationStage] { [] }
    static var steps: [MigrationSteps] {
      [
        MigrationSteps(
          fromVersion: Sheets1.self, toVersion: Sheets2.self,
          [
            .fill(ClassicV1.Sheet.Snapshot.self, ClassicV2.Sheet.Snapshot.self, ["name"]) { old, new in
              new.name = old.name
            }
          ])
      ]
    }
  }

  private let fixture: MigrationFixture

  init() throws {
    fixture = try MigrationFixture()
    try fixture.open(Sheets1.self).add([
      ClassicV1.Sheet(name: "a", outer: ClassicV1.Margin(left: 1), inner: ClassicV1.Margin(left: 2)),
      ClassicV1.Sheet(name: "b", outer: ClassicV1.Margin(left: 3)),
    ])
  }

  static let plans: [any SchemaMigrationPlan.Type] = [InPlace.self, Rewriting.self]

  /// Also tests optional fields and properties, for migrations in place, with rewritten rows, and without a plan.
  @Test(arguments: 0..<3) func existingRowsGetTheDefaultOfANewField(plan: Int) throws {
    let plan = plan < 2 ? Self.plans[plan] : nil
    let sheets = try fixture.open(Sheets2.self, plan).all(ClassicV2.Sheet.self)
    #expect(sheets.map(\.name) == ["a", "b"])
    #expect(sheets.map(\.outer) == [1, 3].map { ClassicV2.Margin(left: $0, top: 4, unit: "mm", gap: 6) })
    #expect(sheets.map(\.inner) == [ClassicV2.Margin(left: 2, top: 4, unit: "mm", gap: 6), nil])
    #expect(sheets.map(\.count) == [8, 8])
    // A new property's own default takes precedence over those of its fields.
    #expect(sheets.map(\.paper) == [0, 1].map { _ in ClassicV2.Margin(left: 7, top: 9, unit: "in", gap: nil) })
    #expect(sheets.map(\.frame) == [0, 1].map { _ in ClassicV2.Margin(left: 5, top: 4, unit: "mm", gap: 6) })
    // A nil struct has no field values that a condition could match.
    #expect(sheets.map(\.later) == [nil, nil])
    let columns = try fixture.shell("SELECT name FROM pragma_table_info('Sheet') WHERE name LIKE 'later%'")
    for column in columns.split(separator: "\n") {
      #expect(try fixture.shell("SELECT COUNT(*) FROM Sheet WHERE \"\(column)\" IS NOT NULL") == "0", "\(column)")
    }
    #expect(try fixture.complaints() == "")
  }

  /// An optional field can be nil even if it has a default.
  @Test(arguments: plans.indices) func optionalFieldsCanBeNil(plan: Int) throws {
    let context = try fixture.open(Sheets2.self, Self.plans[plan])
    for sheet in try context.all(ClassicV2.Sheet.self) {
      sheet.outer.gap = nil
      sheet.inner?.gap = nil
      sheet.count = nil
    }
    try context.save()
    let sheets = try fixture.open(Sheets2Again.self, RewritingLast.self).all(ClassicV2.Sheet.self)
    #expect(sheets.map(\.outer) == [1, 3].map { ClassicV2.Margin(left: $0, top: 4, unit: "mm", gap: nil) })
    #expect(sheets.map(\.inner) == [ClassicV2.Margin(left: 2, top: 4, unit: "mm", gap: nil), nil])
    #expect(sheets.map(\.count) == [nil, nil])
  }

  /// Rewrites the rows of a version with defaults of optional fields.
  enum RewritingLast: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [Sheets2.self, Sheets2Again.self] }
    static var stages: [MigrationStage] { [] }
    static var steps: [MigrationSteps] {
      [
        MigrationSteps(
          fromVersion: Sheets2.self, toVersion: Sheets2Again.self,
          [
            .fill(ClassicV2.Sheet.Snapshot.self, ClassicV2.Sheet.Snapshot.self, ["name"]) { old, new in
              new.name = old.name
            }
          ])
      ]
    }
  }

  enum Sheets2Again: VersionedSchema {
    static var models: [any PersistentModel.Type] { [ClassicV2.Sheet.self] }
    static var versionIdentifier: Schema.Version { Schema.Version(2, 1, 0) }
  }

  /// The rows have the value since the version that added the field.
  @Test(arguments: plans.indices) func theDefaultCanBeRemovedLater(plan: Int) throws {
    let sheets = try fixture.open(Sheets3.self, Self.plans[plan]).all(ClassicV3.Sheet.self)
    #expect(sheets.map(\.outer) == [1, 3].map { ClassicV3.Margin(left: $0, top: 4, unit: "mm", gap: 6) })
    #expect(sheets.map(\.inner) == [ClassicV3.Margin(left: 2, top: 4, unit: "mm", gap: 6), nil])
    #expect(sheets.map(\.count) == [8, 8])
    #expect(try fixture.complaints() == "")
  }

  enum Visits1: VersionedSchema {
    static var models: [any PersistentModel.Type] { [ClassicV1.Visit.self] }
    static var versionIdentifier: Schema.Version { Schema.Version(1, 0, 0) }
  }

  /// The version with a struct of required fields.
  enum Visits2: VersionedSchema {
    static var models: [any PersistentModel.Type] { [ClassicV2.Visit4.self] }
    static var versionIdentifier: Schema.Version { Schema.Version(2, 0, 0) }
  }

  enum Seating: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [Visits1.self, Visits2.self] }
    static var stages: [MigrationStage] { [] }
    static var steps: [MigrationSteps] {
      [
        MigrationSteps(
          fromVersion: Visits1.self, toVersion: Visits2.self,
          [
            .custom("seats") { rows in
              try rows.forEach(ClassicV1.Visit.Snapshot.self) { visits in
                try rows.new.upsert(
                  contentsOf: visits.enumerated().map { number, visit in
                    ClassicV2.Visit4.Snapshot(
                      persistentIdentifier: rows.identifier(of: visit, as: ClassicV2.Visit4.self),
                      name: visit.name, note: visit.note, seat: ClassicV2.Seat(number: number, side: "left"))
                  })
              }
            }
          ])
      ]
    }
  }

  /// No field has a value until the step gives it one.
  @Test func customStepsSetAllFieldsOfANewStruct() throws {
    let fixture = try MigrationFixture()
    try fixture.open(Visits1.self).add([ClassicV1.Visit(name: "a", note: "n"), ClassicV1.Visit(name: "b")])
    let visits = try fixture.open(Visits2.self, Seating.self).all(ClassicV2.Visit4.self)
    #expect(visits.map(\.name) == ["a", "b"])
    #expect(visits.map(\.note) == ["n", nil])
    #expect(visits.map(\.seat) == [0, 1].map { ClassicV2.Seat(number: $0, side: "left") })
    #expect(try fixture.complaints() == "")
  }

  enum Albums1: VersionedSchema {
    static var models: [any PersistentModel.Type] { [ClassicV1.Album.self] }
    static var versionIdentifier: Schema.Version { Schema.Version(1, 0, 0) }
  }

  /// The version in which the size is required.
  enum Albums2: VersionedSchema {
    static var models: [any PersistentModel.Type] { [ClassicV2.Album2.self] }
    static var versionIdentifier: Schema.Version { Schema.Version(2, 0, 0) }
  }

  enum Sizing: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [Albums1.self, Albums2.self] }
    static var stages: [MigrationStage] { [] }
    static var steps: [MigrationSteps] {
      [
        MigrationSteps(
          fromVersion: Albums1.self, toVersion: Albums2.self,
          [
            .custom("sizes") { rows in
              try rows.forEach(ClassicV1.Album.Snapshot.self) { albums in
                try rows.new.upsert(
                  contentsOf: albums.filter { $0.size == nil }.map { album in
                    ClassicV2.Album2.Snapshot(
                      persistentIdentifier: rows.identifier(of: album, as: ClassicV2.Album2.self), title: album.title,
                      size: ClassicV2.Format(width: album.shape.width, height: 9))
                  })
              }
            }
          ])
      ]
    }
  }

  /// No field of a missing struct has a value until the step gives it one.
  @Test func customStepsSetANewlyRequiredStruct() throws {
    let fixture = try MigrationFixture()
    try fixture.open(Albums1.self).add([
      ClassicV1.Album(title: "a", shape: .init(width: 1, height: 2), size: .init(width: 3, height: 4)),
      ClassicV1.Album(title: "b", shape: .init(width: 5, height: 6)),
    ])
    let albums = try fixture.open(Albums2.self, Sizing.self).all(ClassicV2.Album2.self)
    #expect(albums.map(\.size) == [.init(width: 3, height: 4), .init(width: 5, height: 9)])
    #expect(try fixture.complaints() == "")
  }
}
