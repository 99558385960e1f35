import Foundation
package import SchemaDriver
import SchemaModel
import SchemaVersions
import StoreInspection

/// `trellis inspect`: shows a store's version and contents, and compares it with the schemas.
package enum Inspect: Verb {
  package static let name = "inspect"
  package static let summary = "Show a store's schema version and contents"
  package static let options: Set<String> = ["--store", "--schema", "--format"]
  package static let help = """
    Usage: trellis inspect --store STORE [--schema NAME] [--format text|json] [PATH…]

    Shows a store's metadata (format, identifier, schema and version) and the row count of each table.
    Compares the store with the schemas at PATH and their released versions, and shows the migration to
    the current version, or the differences from the nearest version.

    PATH is a schema file or a folder. The default is every schema below the current folder.
    If several schemas have the store's schema name, the one that contains the store's version is used; if
    there is no such schema or more than one, PATH must name a file.

    The store is opened read-only and may be in use. Columns that other programs added are listed. Stores
    whose models are in Swift files are shown, but not compared.

      --store STORE  a file. 'trellis-postgres' also accepts a PostgreSQL database: a URL such as
                     'postgres://user@host/database', or a conninfo string
      --schema NAME  the database schema that contains the tables, if it is not on the search path

    Exits with 1 if the store's version is unknown or newer.

    """

  private enum Format: String, CaseIterable { case text, json }

  package static func run(_ arguments: Arguments, _ session: inout Session) throws -> ExitStatus {
    let format = try arguments.choice("--format", Format.allCases) ?? .text
    let store = try StorePath.open(arguments, for: name, session)
    let histories = try StorePath.histories(arguments.files, session)
    let schemas = try store.schemas.map { schema in
      InspectReport.Schema(
        schema, history: try StorePath.history(of: schema, in: histories, &session), isNamed: store.isNamed)
    }
    let report = InspectReport(store, schemas: schemas)
    switch format {
    case .text: session.say(report.text)
    case .json: try session.json(report)
    }
    return schemas.allSatisfy(\.isKnown) ? .clean : .findings
  }
}

/// Opens the store that a verb receives as an argument.
enum StorePath {
  /// The message for a store that cannot be compared, because it records no schema name.
  static let unnamed =
    "the store cannot be compared, because its models are in Swift files and it does not record a schema name: to see "
    + "the differences, open a copy of the store with the app"

  static let unrecorded = "the store does not record its schema, so rows cannot be counted"

  /// Opens the value of `--store`.
  ///
  /// - Parameter verb: The verb's name, for the error of a tool that is built without libpq.
  static func open(_ arguments: Arguments, for verb: String, _ session: Session) throws -> StoreDescription {
    do {
      switch StoreAddress(try arguments.required("--store"), session) {
      case .file(let path):
        guard arguments["--schema"] == nil else {
          throw DriverFailure(["error: '--schema' applies to databases, but '\(path)' is a file"], .usage)
        }
        return try file(session.path(path))
      case .database(let address):
        guard let databases = session.databases else { throw StoreAddress.refusal(of: verb) }
        return try StoreDescription(databases.store(at: address, schema: arguments["--schema"]))
      }
    } catch let error as InspectionError {
      throw DriverFailure(["error: \(error)"], .usage)
    }
  }

  static func file(_ path: String) throws -> StoreDescription {
    do {
      return try StoreDescription(StoreFile(path))
    } catch let error as InspectionError {
      throw DriverFailure(["error: \(error)"], .usage)
    }
  }

  /// Returns the schemas at some paths. If no path is given, there may be no schema, because the store contains a copy.
  static func histories(_ paths: [String], _ session: Session) throws -> [SchemaHistory] {
    guard let folders = paths.isEmpty ? try? SchemaFolder.open(paths, session) : try SchemaFolder.open(paths, session)
    else { return [] }
    for folder in folders { try folder.requireCompiled() }
    return folders.flatMap(\.histories)
  }

  /// Finds the history for a stored schema by name. If several match, uses the only history that contains the stored
  /// version, and reports it.
  static func history(
    of stored: ResolvedSchema, in histories: [SchemaHistory], _ session: inout Session
  ) throws -> SchemaHistory? {
    let named = histories.filter { $0.head.name == stored.name }
    guard named.count > 1 else { return named.first }
    let known = named.filter { $0.index(of: stored) != nil }
    let files = (known.count == 1 ? known : named).map { $0.head.files.first.map { session.shown($0.path) } ?? "?" }
    let count = "there are \(named.count) schemas '\(stored.name)'"
    guard known.count == 1 else {
      throw DriverFailure(["error: \(count): name one of the files (\(files.joined(separator: ", ")))"], .usage)
    }
    session.note("\(count); only \(files[0]) contains the store's version \(stored.version)\n")
    return known[0]
  }
}
