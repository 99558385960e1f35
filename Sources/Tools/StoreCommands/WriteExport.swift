package import SchemaCommands
package import SchemaDriver

/// `trellis-store export`.
package enum WriteExport: VerbImplementation {
  package typealias Description = Export

  package static func run(_ arguments: Arguments, _ session: inout Session) throws -> ExitStatus {
    if arguments["--schema"] != nil { return try SchemaTextExport.run(arguments, &session, tables: SchemaTables.text) }
    return try Export.run(arguments, &session)
  }
}
