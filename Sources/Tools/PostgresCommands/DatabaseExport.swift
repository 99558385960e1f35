package import SchemaCommands
package import SchemaDriver
import SchemaModel
import SchemaFixtures
import SchemaVersions
import StoreCommands

/// `trellis-postgres export`: also writes the SQL of a schema's tables in PostgreSQL.
package enum DatabaseExport: VerbImplementation {
  package typealias Description = Export

  package static func run(_ arguments: Arguments, _ session: inout Session) throws -> ExitStatus {
    guard arguments["--schema"] != nil else { return try ExportRows.run(arguments, &session) }
    return try SchemaTextExport.run(arguments, &session) { form, dialect, history, folder in
      guard form == .sql, dialect == .postgres else { return try SchemaTables.text(form, dialect, history, folder) }
      let found = RequestedVersion.Found(folder: folder, history: history, version: history.head)
      do {
        return try PostgresSQL.text(history.head, of: history, files: folder.project.files, module: found.module)
      } catch let refusal as FixtureRefusal {
        throw DriverFailure(["error: \(history.head.name) \(history.head.version): \(refusal)"], .findings)
      }
    }
  }
}
