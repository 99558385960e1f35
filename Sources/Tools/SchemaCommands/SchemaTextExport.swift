import SchemaDriver

/// `trellis export --schema PATH`: prints a schema in another notation.
enum SchemaTextExport {
  static func run(_ arguments: Arguments, _ session: inout Session) throws -> ExitStatus {
    throw DriverFailure(["error: 'trellis export --schema' is not available in this version"], .usage)
  }
}
