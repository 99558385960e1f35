package import SchemaDriver

/// `trellis studio`: shows a store in the browser.
///
/// `trellis-store`, which contains the runtime, implements it.
package enum StudioVerb: Verb {
  package static let name = "studio"
  package static let summary = "Look into a store in the browser, and change it"
  package static let options: Set<String> = ["--port", "--compare", "--schema", "--trace"]
  package static let flags: Set<String> = ["--no-open", "--write"]
  package static let help = """
    Usage: trellis studio STORE [--write] [--compare OTHER] [--schema PATH] [--trace FILE]
                          [--port NUMBER] [--no-open]

    Opens a page in the browser that shows the rows of STORE, their relationships in both directions, and
    the history. Rows can be sorted, searched, filtered with '#Predicate' syntax, and saved as CSV or
    JSON. The store may be in use: the page follows the saves of other programs. Nothing is written
    without '--write'.

      --write         change, insert and delete rows. The changes are saved together, with the rules of the
                      schema and the author 'studio'
      --compare OTHER show the differences from another store, such as a backup, in schema and rows
      --schema PATH   show the effects of a migration to the current version. PATH is a schema file or a
                      folder
      --trace FILE    show the statements that an app appends to FILE. Each is a line of JSON with 'sql',
                      'seconds', and optionally 'rows', 'purpose', 'store' and 'time'
      --port NUMBER   the port (default: a free one)
      --no-open       only print the address

    The page is served at 127.0.0.1 only, at an address with a random token, and loads nothing from other
    servers. Ctrl-C ends it. 'trellis-postgres studio URL' shows a store in a PostgreSQL database.

    \(StoreTool.help)

    """

  package static func run(_ arguments: Arguments, _ session: inout Session) throws -> ExitStatus {
    throw StoreTool.refusal(of: name)
  }
}
