import Foundation
import PostgresSupport
import Testing
import Trellis
import TrellisPostgres

/// An empty store in a schema on the tests' server.
struct PostgresFixture {
  let server: PostgresServer
  var configuration: PostgresConfiguration

  /// - Parameter server: The server; nil for the server that all tests share.
  init(_ server: PostgresServer? = nil) throws {
    self.server = try server ?? PostgresServer.shared.get()
    let server = self.server
    configuration = server.configuration()
    configuration.migration.lockWait = .seconds(20)
  }

  /// The quoted name of the database schema.
  var schema: String { "\"\(configuration.schemaName ?? "")\"" }

  /// Opens the store with the models of a version.
  func open(
    _ version: any VersionedSchema.Type, _ plan: (any SchemaMigrationPlan.Type)? = nil,
    _ change: (inout PostgresConfiguration) -> Void = { _ in }
  ) throws -> ModelContext {
    let schema = Schema(versionedSchema: version)
    var configuration = configuration
    configuration.schema = schema
    change(&configuration)
    return ModelContext(try ModelContainer(for: schema, migrationPlan: plan, configurations: [configuration]))
  }

  func migration(_ plan: any SchemaMigrationPlan.Type) throws -> PostgresMigration {
    try PostgresMigration(configuration, migrationPlan: plan)
  }

  @discardableResult func psql(_ statements: String) throws -> String {
    try server.psql("SET search_path = \(schema); \(statements)")
  }

  /// The number of invalid indexes that an interrupted build has left.
  func invalidIndexes() throws -> String {
    try psql(
      """
      SELECT count(*) FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
      WHERE NOT indisvalid AND relnamespace = to_regnamespace(quote_ident(current_schema()))
      """)
  }

  /// Describes everything that determines which rows the tables accept: columns with their types, nullability and
  /// collations, indexes, constraints and sequences. Omits default values, which only serve older versions that do not
  /// write a column.
  func shape() throws -> String {
    try psql(
      """
      SELECT 'column', c.relname, a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull, l.collname
      FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid LEFT JOIN pg_collation l ON l.oid = a.attcollation
      WHERE c.relnamespace = to_regnamespace(quote_ident(current_schema())) AND c.relkind = 'r' AND a.attnum > 0
      AND NOT a.attisdropped AND c.relname NOT LIKE 'trellis%' ORDER BY 2, 3;
      SELECT 'index', regexp_replace(pg_get_indexdef(i.indexrelid), ' ON .*\\.', ' ON '), i.indisvalid FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid
      WHERE c.relnamespace = to_regnamespace(quote_ident(current_schema())) AND c.relname NOT LIKE 'trellis%' AND NOT i.indisprimary ORDER BY 2;
      SELECT 'constraint', c.relname, o.conname, o.contype, pg_get_constraintdef(o.oid), o.convalidated
      FROM pg_constraint o JOIN pg_class c ON c.oid = o.conrelid
      WHERE c.relnamespace = to_regnamespace(quote_ident(current_schema())) AND c.relname NOT LIKE 'trellis%' AND o.contype <> 'p' ORDER BY 2, 3;
      SELECT 'sequence', relname FROM pg_class WHERE relnamespace = to_regnamespace(quote_ident(current_schema())) AND relkind = 'S' ORDER BY 2
      """
    ).replacing(configuration.schemaName ?? "", with: "SCHEMA")
  }
}

/// Plans for programs with the first two versions of the schema `Rollout`. The generated plan belongs to the last
/// version.
enum RolloutPlan {
  enum First: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [RolloutSchema.V1_0_0.self] }
    static var stages: [MigrationStage] { [] }
  }

  enum Second: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [RolloutSchema.V1_0_0.self, RolloutSchema.V2_0_0.self] }
    static var stages: [MigrationStage] {
      RolloutMigrationPlan.stages.filter { $0.toVersion == RolloutSchema.V2_0_0.self }
    }
    static var steps: [MigrationSteps] {
      RolloutMigrationPlan.steps.filter { $0.toVersion == RolloutSchema.V2_0_0.self }
    }
  }
}
