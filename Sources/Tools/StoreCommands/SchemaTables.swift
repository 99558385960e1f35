package import SchemaCommands
import SchemaFixtures
import SchemaDriver
import SchemaModel
package import SchemaVersions
import StoreTransfer

/// The texts for `trellis export --schema` that describe a store's tables.
package enum SchemaTables {
  /// - Throws: `DriverFailure` for PostgreSQL, and if the schema does not specify how a value is stored.
  package static func text(
    _ form: SchemaTextExport.Form, _ dialect: SchemaTextExport.Dialect, _ history: SchemaHistory,
    _ folder: SchemaFolder
  ) throws -> String {
    let found = RequestedVersion.Found(folder: folder, history: history, version: history.head)
    let files = folder.project.files
    do {
      switch form {
      case .jsonSchema:
        return try RowSchema(TransferTarget(history.head, in: history, files: files, module: found.module)).text
      case .json, .swiftdata, .mermaid, .plantuml, .sql:
        guard dialect == .sqlite else { throw SchemaTextExport.postgresRefusal }
        return try SchemaSQL.sqlite(history.head, of: history, files: files, module: found.module)
      }
    } catch let refusal as FixtureRefusal {
      throw DriverFailure(["error: \(history.head.name) \(history.head.version): \(refusal)"], .findings)
    }
  }
}
