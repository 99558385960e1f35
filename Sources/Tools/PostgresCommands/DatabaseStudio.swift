package import SchemaCommands
package import SchemaDriver
package import StoreStudio
import Trellis
package import TrellisPostgres

/// `trellis-postgres studio`: shows a store in a database, or a store file as `trellis-store studio` does.
package enum DatabaseStudio: Verb {
  package static let name = StudioVerb.name
  package static let summary = StudioVerb.summary
  package static let options = StudioVerb.options
  package static let flags = StudioVerb.flags
  package static let help = """
    Usage: trellis-postgres studio URL [--schema NAME] [--write] [--port NUMBER] [--no-open]

    Opens a page in the browser that shows the rows of a store in a PostgreSQL database, as 'trellis studio'
    does with a store file. Apps may use the store at the same time: the page follows their saves.

      URL            the database: 'postgres://user@host/database', or a conninfo string
      --schema NAME  the database schema that contains the tables, if it is not on the search path
      --write        allow changes, which are checked and saved like those of an app
      --port NUMBER  the port of the page (default: a free one)
      --no-open      only print the page's address

    The page never shows a password. With a store file instead of URL, this verb is 'trellis studio'.

    """

  package static func run(_ arguments: Arguments, _ session: inout Session) throws -> ExitStatus {
    let schemaName = arguments["--schema"]
    guard case .database(let address) = StoreAddress(try OpenStudio.store(arguments), session) else {
      return try OpenStudio.run(arguments, &session)
    }
    for name in options.subtracting(["--schema", "--port"]).sorted() where arguments[name] != nil {
      throw DriverFailure(["error: '\(name)' applies to store files, not to databases"], .usage)
    }
    var settings = PostgresDatabases.configuration(at: address, schema: schemaName)
    settings.allowsSave = arguments.has("--write")
    // Longer than the longest request.
    settings.timeouts.answer = .seconds(90)
    let (configuration, place) = (settings, settings.place + (schemaName.map { ", schema \($0)" } ?? ""))
    do {
      return try OpenStudio.serve(
        { try open(configuration) }, with: { StudioCompanions(isForFile: false) }, at: place, arguments, &session)
    } catch let error as PostgresError {
      throw DriverFailure(["error: \(error)"], .usage)
    } catch let error as SwiftDataError {
      throw DriverFailure(["error: \(error)"], .findings)
    }
  }

  /// Opens a store.
  ///
  /// - Throws: `TransferError` if the database contains no store with its schema's text; `PostgresError`;
  ///   `SwiftDataError`.
  package static func open(_ configuration: PostgresConfiguration) throws -> StudioStore {
    try StudioStore { try ServerDatabase(configuration) }
  }
}
