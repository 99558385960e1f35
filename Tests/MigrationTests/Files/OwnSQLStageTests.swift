import ClassicV1
import ClassicV2
import Foundation
import TestTraits
import Testing
import Trellis

/// SQL in the custom stages of a migration.
@Suite(.waiting) struct OwnSQLStageTests {
  enum V1: VersionedSchema {
    typealias Tag = ClassicV1.Tag
    typealias Memo = ClassicV1.Memo
    static var models: [any PersistentModel.Type] { [Tag.self] }
    static var versionIdentifier: Schema.Version { Schema.Version(1, 0, 0) }
  }

  /// The version with unique tag names.
  enum V2: VersionedSchema {
    typealias Tag = ClassicV2.Tag
    typealias Memo = ClassicV2.Memo
    static var models: [any PersistentModel.Type] { [Tag.self] }
    static var versionIdentifier: Schema.Version { Schema.Version(2, 0, 0) }
  }

  enum Plan: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [V1.self, V2.self] }
    // example
    static var stages: [MigrationStage] {
      [
        .custom(
          fromVersion: V1.self, toVersion: V2.self,
          willMigrate: { context in
            try context.execute(
              "UPDATE \(V1.Tag.self) SET \(\V1.Tag.name) = \(\V1.Tag.name) || \(" old") WHERE \(\V1.Tag.weight) > \(2)")
          },
          didMigrate: { context in
            try context.execute("UPDATE \(V2.Tag.self) SET \(\V2.Tag.weight) = \(\V2.Tag.weight) * 1000")
          })
      ]
    }
    // end
  }

  enum StepPlan: SchemaMigrationPlan {
    // example
    static let copyTags = MigrationStep.custom("copyTags") { rows in
      try rows.execute(
        """
        INSERT INTO \(V2.Memo.self) (\(\V2.Memo.text))
        SELECT \(\V1.Tag.name) FROM \(V1.Tag.self) WHERE \(\V1.Tag.weight) > \(2)
        """)
    }
    // end
    static var schemas: [any VersionedSchema.Type] { [V1.self, V2.self] }
    static var stages: [MigrationStage] { [.lightweight(fromVersion: V1.self, toVersion: V2.self)] }
    static var steps: [MigrationSteps] {
      [
        MigrationSteps(
          fromVersion: V1.self, toVersion: V2.self,
          [
            copyTags,
            .custom("rest") { rows in
              // Memos that the context inserts receive keys after those that SQLite has assigned.
              rows.new.insert(V2.Memo(text: "last"))
              try rows.new.save()
              try rows.execute("UPDATE \(V2.Tag.self) SET \(\V2.Tag.name) = 'only' || \(\V2.Tag.weight)")
            },
          ])
      ]
    }
  }

  /// Statements that a stage may not run, with the reasons.
  enum Refused: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [V1.self, V2.self] }
    static var stages: [MigrationStage] {
      [
        .custom(
          fromVersion: V1.self, toVersion: V2.self,
          willMigrate: { context in
            let tag = try #require(try context.all(V1.Tag.self).first { $0.weight == 1 })
            tag.weight = 7
            #expect(OwnSQLStageTests.code { try context.execute("DELETE FROM \(V1.Tag.self)") } == .refusedStatement)
            context.rollback()
            let statements: [SQLQuery] = [
              "DROP TABLE \(V1.Tag.self)", "ALTER TABLE \(V1.Tag.self) ADD COLUMN x", "CREATE TABLE x (y)", "COMMIT",
              "PRAGMA user_version = 1", "DELETE FROM trellis_metadata", "UPDATE \"Trellis_Metadata\" SET value = 1",
              "DELETE FROM sqlite_sequence", "SELECT 1", "WITH n AS (SELECT 1) SELECT * FROM n",
              "DELETE FROM \(V1.Tag.self); DELETE FROM \(V1.Memo.self)", "DELETE FROM \(V1.Tag.self) WHERE name = ?",
            ]
            for statement in statements {
              #expect(OwnSQLStageTests.code { try context.execute(statement) } == .refusedStatement, "\(statement)")
            }
            #expect(OwnSQLStageTests.code { try context.execute("DELETE FROM \(V2.Tag.self)") } == .unknownName)
            // Previously fetched models have the new values.
            #expect(
              try context.execute("WITH n(i) AS (VALUES (5)) UPDATE \(V1.Tag.self) SET weight = (SELECT i FROM n)") == 3
            )
            #expect(tag.weight == 5)
            try context.execute("UPDATE \(V1.Tag.self) SET name = name || weight")
            #expect(tag.name == "a5")
          }, didMigrate: nil)
      ]
    }
  }

  enum Throwing: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [V1.self, V2.self] }
    static var stages: [MigrationStage] {
      [
        .custom(
          fromVersion: V1.self, toVersion: V2.self,
          willMigrate: { context in
            try context.execute("DELETE FROM \(V1.Tag.self)")
            try context.execute("INSERT INTO \(V1.Tag.self) (name) VALUES (\("no weight"))")
          }, didMigrate: nil)
      ]
    }
  }

  private static func code(_ body: () throws -> Void) -> SQLQueryError.Code? {
    do {
      try body()
      return nil
    } catch {
      return (error as? SQLQueryError)?.code
    }
  }

  /// A store with three tags in a file, or in a database.
  private static func stores(_ isServer: Bool) throws -> (_ plan: (any SchemaMigrationPlan.Type)?) throws ->
    ModelContext
  {
    let file = try MigrationFixture()
    let server = isServer ? try PostgresFixture() : nil
    func open(_ version: any VersionedSchema.Type, _ plan: (any SchemaMigrationPlan.Type)?) throws -> ModelContext {
      try server?.open(version, plan) ?? file.open(version, plan)
    }
    try open(V1.self, nil).add([("a", 1), ("b", 2), ("c", 3)].map { V1.Tag(name: $0, weight: $1) })
    return { plan in
      let context = try open(plan == nil ? V1.self : V2.self, plan)
      if !isServer, plan != nil { #expect(try file.complaints() == "") }
      return context
    }
  }

  private static func tags(_ context: ModelContext) throws -> [String] {
    try context.all(V2.Tag.self).map { "\($0.name) \($0.weight)" }.sorted()
  }

  @Test(arguments: [false, true]) func stagesExecuteSQL(isServer: Bool) throws {
    let open = try Self.stores(isServer)
    let context = try open(Plan.self)
    #expect(try Self.tags(context) == ["a 1000", "b 2000", "c old 3000"])
    #expect(Self.code { try context.execute("DELETE FROM \(V2.Tag.self)") } == .refusedStatement)
    #expect(try Self.tags(context).count == 3)
  }

  @Test(arguments: [false, true]) func stepsReadTheOldRows(isServer: Bool) throws {
    let open = try Self.stores(isServer)
    let context = try open(StepPlan.self)
    #expect(try Self.tags(context) == ["only1 1", "only2 2", "only3 3"])
    #expect(try context.all(V2.Memo.self).map(\.text).sorted() == ["c", "last"])
    // Predicates compare the new values.
    #expect(try context.fetchCount(FetchDescriptor<V2.Tag>(predicate: #Predicate { $0.name == "only2" })) == 1)
    context.insert(V2.Memo(text: "new"))
    try context.save()
    #expect(try context.fetchCount(FetchDescriptor<V2.Memo>()) == 3)
  }

  @Test(arguments: [false, true]) func otherStatementsAreRejected(isServer: Bool) throws {
    let open = try Self.stores(isServer)
    #expect(try Self.tags(open(Refused.self)) == ["a5 5", "b5 5", "c5 5"])
  }

  @Test(arguments: [false, true]) func errorsKeepTheOldStore(isServer: Bool) throws {
    let open = try Self.stores(isServer)
    #expect(throws: (any Error).self) { try open(Throwing.self) }
    #expect(try open(nil).all(V1.Tag.self).map(\.name).sorted() == ["a", "b", "c"])
  }

  enum Decomposing: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [V1.self, V2.self] }
    static var stages: [MigrationStage] {
      [
        .custom(
          fromVersion: V1.self, toVersion: V2.self, willMigrate: nil,
          didMigrate: { context in
            try context.execute("UPDATE \(V2.Tag.self) SET name = 'e' || char(769) WHERE weight = 1")
          })
      ]
    }
  }

  /// SQL may create text that is equal to existing text but has different bytes.
  @Test(arguments: [false, true]) func denormalizedTextsAreFound(isServer: Bool) throws {
    let open = try Self.stores(isServer)
    let context = try open(Decomposing.self)
    let found = try context.fetch(FetchDescriptor<V2.Tag>(predicate: #Predicate { $0.name == "\u{E9}" }))
    #expect(found.map(\.weight) == [1])
  }
}
