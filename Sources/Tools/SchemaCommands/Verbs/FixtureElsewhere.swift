package import SchemaDriver

/// `trellis fixture` refers to a separate executable that contains the runtime. Excluding the runtime makes this tool
/// build much faster.
package enum FixtureElsewhere: Verb {
  package static let name = "fixture"
  package static let summary = "Write a store with test data for a schema version (trellis-fixture)"
  package static let options: Set<String> = ["--rows", "--seed", "--output", "--module", "--store", "--schema"]
  package static let flags: Set<String> = ["--force"]
  package static let help = """
    Usage: swift run trellis-fixture [options] [VERSION…] [PATH…]
           swift run trellis-postgres fixture --store URL [options] [VERSION] [PATH…]
           swift package --allow-writing-to-package-directory schema-fixture [options] [VERSION…] [PATH…]

    This tool cannot create stores, because it is built without the runtime. 'trellis-fixture --help'
    describes the options.

    """

  package static func run(_ arguments: Arguments, _ session: inout Session) throws -> ExitStatus {
    if let store = arguments["--store"] ?? arguments["--output"], case .database = StoreAddress(store, session) {
      throw StoreAddress.refusal(of: name)
    }
    throw DriverFailure(
      [
        "error: this tool cannot create stores, because it is built without the runtime; call "
          + "'swift run trellis-fixture', or 'swift package schema-fixture' in a package"
      ], .usage)
  }
}
