import Foundation
package import SchemaDriver
import SchemaModel
import SchemaVersions
import StoreInspection

/// `trellis inspect`: shows the version of a store and its differences from the expected version.
package enum Inspect: Verb {
  package static let name = "inspect"
  package static let summary = "say which version a store is of, and what is in it"
  package static let options: Set<String> = ["--store", "--schema", "--format"]
  package static let help = """
    Usage: trellis inspect --store STORE [--schema NAME] [--format text|json] [PATH…]

    Says what a store says of itself (format, identifier, schema and version, rows of each table) and
    compares it with the schemas at PATH and their released versions: which of them it is, the way it
    would go to the current one, or how it differs from the nearest one.

    PATH is a schema file or a folder; without one it is every schema below this folder. Of several
    schemas with the store's name, the only schema with the store's version is used; otherwise PATH must
    name a file.
    The store is only read, also while a program has it open.
    A store of models in Swift files is described, but not compared.

    Columns that other programs have added to tables of the store are named.

      --store STORE  a file. For 'trellis-postgres' also a PostgreSQL database: a URL, as in
                     'postgres://user@host/database', or a conninfo string
      --schema NAME  the schema of the database that has the tables, if it is not on the search path

    Ends with 1 when the store is of no known version, or of a newer one.

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
  /// The reason why a store without the name of its schema is not compared, and the way to see the differences.
  static let unnamed =
    "the store does not name its schema, because its models are in Swift files, so it cannot be compared: to see the "
    + "differences, open a copy of it with the program"

  /// Opens the value of `--store`.
  ///
  /// - Parameter verb: The name of the verb, for the error of a tool without databases.
  static func open(_ arguments: Arguments, for verb: String, _ session: Session) throws -> StoreDescription {
    do {
      switch StoreAddress(try arguments.required("--store"), session) {
      case .file(let path):
        guard arguments["--schema"] == nil else {
          throw DriverFailure(["error: '--schema' is for databases, and '\(path)' is a file"], .usage)
        }
        return try StoreDescription(StoreFile(session.path(path)))
      case .database(let address):
        guard let databases = session.databases else { throw StoreAddress.refusal(of: verb) }
        return try StoreDescription(databases.store(at: address, schema: arguments["--schema"]))
      }
    } catch let error as InspectionError {
      throw DriverFailure(["error: \(error)"], .usage)
    }
  }

  /// The schemas at the paths. Without paths, a missing schema is not an error, because the store contains its schema.
  static func histories(_ paths: [String], _ session: Session) throws -> [SchemaHistory] {
    // A schema is optional if no path is given.
    guard let folders = paths.isEmpty ? try? SchemaFolder.open(paths, session) : try SchemaFolder.open(paths, session)
    else { return [] }
    for folder in folders { try folder.requireCompiled() }
    return folders.flatMap(\.histories)
  }

  /// The history with the name of a stored schema. Of several histories, the only history with the stored version is
  /// used and reported.
  static func history(
    of stored: ResolvedSchema, in histories: [SchemaHistory], _ session: inout Session
  ) throws -> SchemaHistory? {
    let named = histories.filter { $0.head.name == stored.name }
    guard named.count > 1 else { return named.first }
    let known = named.filter { $0.index(of: stored) != nil }
    let files = (known.count == 1 ? known : named).map { $0.head.files.first.map { session.shown($0.path) } ?? "?" }
    let count = "there are \(named.count) schemas '\(stored.name)' here"
    guard known.count == 1 else {
      throw DriverFailure(["error: \(count): name the store's schema (\(files.joined(separator: ", ")))"], .usage)
    }
    session.note("\(count), and only \(files[0]) has version \(stored.version) of the store\n")
    return known[0]
  }
}
