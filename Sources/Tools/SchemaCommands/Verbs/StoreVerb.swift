package import SchemaDriver

/// `trellis store`: checks, copies, compacts, measures and migrates a store file. The app does not run.
package enum StoreVerb: Verb {
  /// What to do with the store: the verb's first argument.
  package enum Action: String, CaseIterable, Sendable {
    case check, copy, backup, compact, info, migrate

    /// The options and flags that apply to the action.
    package var options: Set<String> {
      switch self {
      case .check: ["--repair", "--schema", "--format", "--force"]
      case .copy: ["--force", "--format"]
      case .backup: ["--keep", "--format"]
      case .compact: ["--format"]
      case .info: ["--keep-history", "--format"]
      case .migrate: ["--to", "--module", "--format"]
      }
    }
  }

  package static let name = "store"
  package static let summary = "Check, copy, compact, measure or migrate a store"
  package static let options: Set<String> = [
    "--repair", "--schema", "--format", "--keep", "--keep-history", "--to", "--module",
  ]
  package static let flags: Set<String> = ["--force"]
  package static let help = """
    Usage: trellis store check FILE [--repair COPY [--force]] [--schema PATH] [--format text|json]
           trellis store copy FILE TARGET [--force]
           trellis store backup FILE [FOLDER] [--keep N]
           trellis store compact FILE
           trellis store info FILE [--keep-history LIMIT]
           trellis store migrate FILE [--to VERSION] [--module NAME] [PATH…]

    A store is a file with companions: 'FILE-wal' contains the latest commits, and the folder
    'FILE-external' contains large values. A copy of FILE alone lacks both. 'copy' and 'backup' include
    them, and the apps that use the store may keep running.

    check    Tests the pages, tables, triggers, references, values, history and external files, and
             lists what differs from a store that an app has written. Exits with 1 if there are
             findings. Nothing is changed.
    copy     Writes a consistent snapshot to TARGET, which appears when it is complete.
    backup   The same as 'copy' to a file in FOLDER that has the time in its name, such as
             'Trips-2026-05-17T091244.250Z.store'. The default is the store's folder.
    compact  Returns free pages to the file system and shortens the log. No other process may use the
             store meanwhile.
    info     Shows the size of the tables and indexes, the log, the free pages, the external files and
             the history.
    migrate  Moves the store to the current version in one transaction, as the app does when it opens
             it. A backup is written next to it if rows are changed. Exits with 1 if only the app can
             migrate the store, because of 'fill', 'dedupe' or 'custom' steps. PATH is a schema file
             or a folder. The default is every schema below the current folder.

      --repair COPY        write a copy in which everything is derived again that follows from the
                           rest: indexes, triggers, row numbers, marks and descriptions. Files that
                           belong to no row are left out. Rows are never changed. Exits with 1 if
                           findings remain
      --schema PATH        the schema files that declare the values (default: the copy in the store)
      --force              replace a store at COPY or TARGET that no process has open; other files are
                           never overwritten
      --keep N             remove the oldest backups of the store in FOLDER until N are left
      --keep-history LIMIT also show what deleting the history would free: LIMIT is an age ('30d',
                           '12h', '8w') or a number of transactions
      --to VERSION         the version to migrate to (default: the current version)
      --module NAME        the app's Swift module, if it cannot be derived from PATH
      --format text|json   how to print the result (default: text)

    \(StoreTool.help)

    """

  package static func run(_ arguments: Arguments, _ session: inout Session) throws -> ExitStatus {
    if let store = arguments.files.dropFirst().first, case .database = StoreAddress(store, session) {
      throw DriverFailure(
        ["error: 'store' is for files: use the tools of the database, and 'trellis-postgres migrate'"], .usage)
    }
    throw StoreTool.refusal(of: name)
  }
}
