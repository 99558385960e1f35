package import SchemaCommands
package import SchemaDriver
import StoreCommands
import StoreTransfer
import TrellisPostgres

/// `trellis-postgres import`: with `--from postgres`, creates a schema file and a store from a PostgreSQL database. All
/// remaining forms work as in `trellis-store`.
package enum ImportPostgres: VerbImplementation {
  package typealias Description = Import

  package static func run(_ arguments: Arguments, _ session: inout Session) throws -> ExitStatus {
    guard try arguments.choice("--from", Import.Form.allCases) == .postgres else {
      return try ImportData.run(arguments, &session)
    }
    guard arguments.files.count == 1, case .database(let address) = StoreAddress(arguments.files[0], session) else {
      // The argument may be a mistyped address with a password, so the message omits it.
      throw DriverFailure(
        [
          "error: 'trellis-postgres import --from postgres' needs one database: a URL such as "
            + "'postgres://user@host/database', or a conninfo string such as 'host=/run/postgresql dbname=trips'"
        ], .usage)
    }
    let options = try RowImportOptions(arguments, session)
    do {
      return try TransferFailure.reported {
        try run(address, arguments.options["--schema"] ?? [], arguments["--name"], options, &session)
      }
    } catch let error as PostgresError {
      throw DriverFailure(["error: \(error)"], .usage)
    }
  }

  private static func run(
    _ address: String, _ schemas: [String], _ named: String?, _ options: RowImportOptions, _ session: inout Session
  ) throws -> ExitStatus {
    let bar = ProgressBar()
    // An open snapshot makes the server keep old row versions, so close the connection before copying rows.
    var connection: ImportConnection? = try ImportConnection(address)
    guard let source = connection else { return .clean }
    let name = try Import.name(named, source.databaseName)
    let catalogue = try ImportCatalogue(source, schemas: schemas, progress: bar.update)
    bar.clear()
    var database = catalogue.database
    try options.dates.apply(to: &database)
    let draft = SchemaDraft(database, name: name)
    let target = try draft.target(module: name)
    let run = RowImport(draft: draft, source: source.place, options: options)
    return try run.finish(&session) { url, rejects in
      let stage = try ImportStage()
      try stage.fill(from: catalogue, source, progress: bar.update)
      connection = nil
      let plan = try DraftPlan.plan(draft, into: target, from: stage.url)
      try target.create(at: url)
      let report = try CopyEngine(plan, into: target).run(at: url, rejects: rejects, progress: bar.update)
      bar.clear()
      return report
    }
  }
}
