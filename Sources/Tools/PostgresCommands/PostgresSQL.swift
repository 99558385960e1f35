package import SchemaDiagnostics
import SchemaFixtures
package import SchemaModel
package import SchemaVersions
import StoreCommands
import Trellis
import TrellisPostgres

/// The SQL of a new store's tables in PostgreSQL.
package enum PostgresSQL {
  /// Returns the statements that create the tables of a new store, without rows. The names are not qualified, so the
  /// tables are created in the first schema on the search path.
  ///
  /// - Parameters:
  ///   - version: A version in the history.
  ///   - files: The files that declare the versions.
  ///   - module: The app's Swift module.
  /// - Throws: `FixtureRefusal` if the schema does not specify how a value is stored.
  package static func text(
    _ version: ResolvedSchema, of history: SchemaHistory, files: [SourceFile], module: String
  ) throws -> String {
    let schema = try SchemaFixture.schema(of: version, in: history, files: files, module: module)
    // The definitions need no connection.
    let opener = try PostgresOpener(PostgresConfiguration(schema: schema, url: "postgres://localhost/store"), nil)
    return SchemaSQL.text(of: version, try opener.definitions().map(opener.text))
  }
}
