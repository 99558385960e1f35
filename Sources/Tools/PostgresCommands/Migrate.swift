package import SchemaCommands
package import SchemaDriver
import SchemaModel
import StoreInspection
import Trellis
import TrellisPostgres

/// `trellis-postgres migrate`: migrates a store by the schema files, or prints the statements.
package enum Migrate: Verb {
  package static let name = "migrate"
  package static let summary = "migrate a store in a PostgreSQL database"
  package static let options: Set<String> = ["--store", "--schema", "--to", "--module", "--phase"]
  package static let flags: Set<String> = ["--plan"]
  package static let help = """
    Usage: trellis-postgres migrate --store URL [--schema NAME] [--to VERSION] [--phase expand|contract] [--plan]
                                    [PATH…]

    Migrates a store from its version to the current one, in one transaction, as the program does that opens it.
    Programs of the older version get errors afterwards. With phases they keep running in between: run
    '--phase expand', replace the programs, and run '--phase contract'.

    \(DatabaseOptions.help)
      --to VERSION   the version to migrate to, instead of the current one
      --phase PHASE  'expand' adds what the new version needs, and 'contract' removes what only the older one needs
      --plan         prints the SQL of each phase and changes nothing
      --module NAME  the Swift module of the program, where the path does not say

    PATH is a schema file or a folder; without one it is every schema below this folder.

    Ends with 1 when the program has to migrate the store: for 'fill', 'dedupe' and 'custom' steps, and for values
    that are stored in another form. Ends with 1 also when the store is of a newer or of no known version, and when
    its rows do not permit the migration.

    """

  package static func run(_ arguments: Arguments, _ session: inout Session) throws -> ExitStatus {
    guard let options = try DatabaseOptions(arguments, session) else {
      return try MigrateElsewhere.run(arguments, &session)
    }
    let phase = try arguments.choice("--phase", PostgresMigration.Phase.allCases)
    let target = try arguments["--to"].map { text in
      guard let version = SchemaVersion(text) else {
        throw DriverFailure(["error: '\(text)' is no version of the form major.minor.patch"], .usage)
      }
      return version
    }
    let folders = try SchemaFolder.open(arguments.files, session)
    for folder in folders { try folder.requireCompiled() }
    do {
      let route = try route(options, folders, to: target, arguments)
      let migration = try PostgresMigration(
        PostgresDatabases.configuration(at: options.address, schema: options.schemaName, for: route.schemas.last),
        versions: route.schemas)
      try refuseSteps(route, migration)
      if arguments.has("--plan") {
        session.say(MigrationReport(route, migration).sql(phase))
        return .clean
      }
      return try run(phase, migration, route, &session)
    } catch let error as InspectionError {
      throw DriverFailure(["error: \(error)"], .usage)
    } catch let error as PostgresError {
      throw DriverFailure(["error: \(error)"], .usage)
    } catch let error as SwiftDataError {
      throw DriverFailure(["error: \(error)"], .findings)
    }
  }

  /// Reads the version of the store. The connection is closed afterwards, because a migration waits for its locks.
  private static func route(
    _ options: DatabaseOptions, _ folders: [SchemaFolder], to target: SchemaVersion?, _ arguments: Arguments
  ) throws -> MigrationRoute {
    let store = try StoreDescription(PostgresDatabases().store(at: options.address, schema: options.schemaName))
    return try MigrationRoute(store, folders, to: target, module: arguments["--module"])
  }

  /// Refuses a migration that needs the program.
  private static func refuseSteps(_ route: MigrationRoute, _ migration: PostgresMigration) throws {
    let reasons = route.stepsOfProgram + (route.stepsOfProgram.isEmpty ? migration.obstacles : [])
    guard !reasons.isEmpty else { return }
    throw DriverFailure(
      ["error: \(route.title): the program has to migrate this store, which it does when it opens it:"]
        + reasons.map { "  - \($0)" }
        + (route.lastWithoutProgram.map { ["'migrate --to \($0)' migrates it up to these steps"] } ?? []), .findings)
  }

  private static func run(
    _ phase: PostgresMigration.Phase?, _ migration: PostgresMigration, _ route: MigrationRoute,
    _ session: inout Session
  ) throws -> ExitStatus {
    let report = MigrationReport(route, migration)
    if phase != nil, !migration.exclusions.isEmpty {
      throw DriverFailure(
        [
          "error: \(route.title): programs of both versions cannot use the store at the same time, so there are no phases:"
        ]
          + migration.exclusions.map { "  - \($0)" }, .findings)
    }
    guard !report.isCurrent else {
      session.say("\(route.title): the current version, there is nothing to do\n")
      return .clean
    }
    if phase == nil, report.isExpanded {
      session.say(
        "\(route.title): expanded. '--phase contract' completes the migration, once no program of an older version "
          + "runs\n")
      return .clean
    }
    session.note("migrating \(route.title)\(phase.map { ", phase '\($0.rawValue)'" } ?? "")\n")
    try migration.run(phase)
    switch phase {
    case nil: session.say("\(route.title): migrated\n")
    case .expand:
      session.say("\(route.title): expanded. Replace the programs, and then run '--phase contract'\n")
    case .contract: session.say("\(route.title): contracted, the migration is complete\n")
    }
    return .clean
  }
}
