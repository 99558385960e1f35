package import SchemaDriver

/// `trellis migrate` refers to a separate executable that is linked with libpq.
package enum MigrateElsewhere: Verb {
  package static let name = "migrate"
  package static let summary = "Migrate a store in a PostgreSQL database (trellis-postgres)"
  package static let options: Set<String> = ["--store", "--schema", "--to", "--module", "--phase"]
  package static let flags: Set<String> = ["--plan"]
  package static let help = """
    Usage: swift run trellis-postgres migrate --store URL [options] [PATH…]

    This tool is built without libpq. A store file is migrated when the app opens it, or by
    'trellis store migrate FILE'.
    'trellis-postgres migrate --help' describes the options.

    """

  package static func run(_ arguments: Arguments, _ session: inout Session) throws -> ExitStatus {
    guard case .file(let path) = StoreAddress(try arguments.required("--store"), session) else {
      throw StoreAddress.refusal(of: name)
    }
    throw DriverFailure(
      [
        "error: '\(path)' is a file: 'trellis store migrate FILE' migrates it, and so does the app when it opens the store"
      ], .usage)
  }
}
