package import SchemaDriver

/// `trellis fixture`: writes stores with test data for schema versions. The app does not run.
package enum Fixture: Verb {
  package static let name = "fixture"
  package static let summary = "Write a store with test data for a schema version"
  package static let options: Set<String> = ["--rows", "--seed", "--output", "--module", "--store", "--schema"]
  package static let flags: Set<String> = ["--force"]
  package static let help = """
    Usage: trellis fixture [VERSION…] [--output PATH] [--rows N] [--seed N] [--force] [PATH…]

    Writes a store for each VERSION, as an app with that version would write it. The rows contain boundary
    values, nil and non-nil values, every enum case, and lists of zero, one and several elements. The
    second half of the rows repeats values of the first half unless they must be unique. The same schema,
    version and options always produce the same contents.

    VERSION is a number ('1.0.0'), 'head' or 'all'. If there are several schemas, put the schema name in
    front ('Trips@1.0.0'). The default is the head. PATH is a schema file or a folder. The default is
    every schema below the current folder.

      --output PATH  a folder for files such as 'Trips-1.0.0.store' (default: the current folder), or a
                     store file: 'old.store'
      --rows N       rows per model (default: 24). A model gets more rows if it needs them for its enum
                     cases or relationships, and fewer if there are not enough unique values
      --seed N       a different seed changes the order of the values (default: 1)
      --force        replace existing stores; other files are never overwritten
      --module NAME  the app's Swift module, if it cannot be derived from PATH

    'trellis-postgres fixture --store URL' writes to a PostgreSQL database.

    Properties that only the app can encode are nil. If such a property is required, the exit code is 1.

    \(StoreTool.help)

    """

  package static func run(_ arguments: Arguments, _ session: inout Session) throws -> ExitStatus {
    if let store = arguments["--store"] ?? arguments["--output"], case .database = StoreAddress(store, session) {
      throw StoreAddress.refusal(of: name)
    }
    throw StoreTool.refusal(of: name)
  }
}
