package import SchemaCommands
package import SchemaDriver
import StoreTransfer

/// `trellis-store import`: all forms of `import`, including those that copy rows.
package enum ImportData: VerbImplementation {
  package typealias Description = Import

  package static func run(_ arguments: Arguments, _ session: inout Session) throws -> ExitStatus {
    switch try Import.form(arguments) {
    case .sqlite: try ImportSQLite.run(arguments, &session)
    case .store: try ImportStore.run(arguments, &session)
    case .csv: try ImportFolder.run(.csv, arguments, &session)
    case .ndjson: try ImportFolder.run(.ndjson, arguments, &session)
    case .swiftdata, .coredata, .postgres, nil: try Import.run(arguments, &session)
    }
  }
}
