package import SchemaDiagnostics
package import SchemaModel
package import SchemaVersions
import SchemaFixtures
import Trellis

/// SQL for a new store's tables.
package enum SchemaSQL {
  /// Returns the statements that create a new SQLite store's tables.
  ///
  /// - Parameters:
  ///   - version: A version in the history.
  ///   - files: The files that declare the versions.
  ///   - module: The app's Swift module.
  /// - Throws: `FixtureRefusal` if the schema does not specify how a value is stored.
  package static func sqlite(
    _ version: ResolvedSchema, of history: SchemaHistory, files: [SourceFile], module: String
  ) throws -> String {
    let schema = try SchemaFixture.schema(of: version, in: history, files: files, module: module)
    let catalogue = try CatalogueBuilder.catalogue(of: schema)
    let external = catalogue.externalColumns
    let statements =
      (InternalTables.all + catalogue.tables).flatMap(\.statements)
      + (external.isEmpty ? [] : ExternalFiles.definitions(for: external))
    return text(of: version, statements.map(\.text))
  }

  /// Joins statements below a comment with the schema's version.
  package static func text(of version: ResolvedSchema, _ statements: [String]) -> String {
    "-- \(version.name) \(version.version)\n" + statements.map { "\n\($0);\n" }.joined()
  }
}
