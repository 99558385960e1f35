package import SchemaCommands
package import SchemaDriver
import SchemaModel
import StoreCommands
import StoreInspection
import Trellis
import TrellisPostgres

/// `trellis-postgres migrate`: migrates a store according to the schema files, or prints the SQL statements.
package enum Migrate: Verb {
  package static let name = "migrate"
  package static let summary = "migrate a store in a PostgreSQL database"
  package static let options: Set<String> = ["--store", "--schema", "--to", "--module", "--phase"]
  package static let flags: Set<String> = ["--plan"]
  package static let help = """
    Usage: trellis-postgres migrate --store URL [--schema NAME] [--to VERSION] [--phase expand|contract] [--plan]
                                    [PATH…]

    Migrates a store to the current version in one transaction, as an app does when it opens the store. Running
    apps of the older version get errors afterwards. To keep them running during an update, migrate in phases:
    run '--phase expand', replace the apps, and run '--phase contract'.

    \(DatabaseOptions.help)
      --to VERSION   the version to migrate to (default: the current version)
      --phase PHASE  'expand' adds everything that the new version needs; 'contract' removes everything that only
                     the older version needs
      --plan         print the SQL of each phase and change nothing
      --module NAME  the app's Swift module, if it cannot be derived from PATH

    PATH is a schema file or a folder. The default is every schema below the current folder.

    Exits with 1 if only the app can migrate the store, because of 'fill', 'dedupe' or 'custom' steps or values
    whose stored form changes. Also exits with 1 if the store's version is newer or unknown, or if the rows do not
    permit the migration.

    """

  package static func run(_ arguments: Arguments, _ session: inout Session) throws -> ExitStatus {
    guard let options = try DatabaseOptions(arguments, session) else {
      return try MigrateElsewhere.run(arguments, &session)
    }
    let phase = try arguments.choice("--phase", PostgresMigration.Phase.allCases)
    let target = try arguments["--to"].map { text in
      guard let version = SchemaVersion(text) else {
        throw DriverFailure(["error: '\(text)' is not a version (expected major.minor.patch)"], .usage)
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

  /// Reads the store's version. Closes the connection afterwards, because a migration would wait for its locks.
  private static func route(
    _ options: DatabaseOptions, _ folders: [SchemaFolder], to target: SchemaVersion?, _ arguments: Arguments
  ) throws -> MigrationRoute {
    let store = try StoreDescription(PostgresDatabases().store(at: options.address, schema: options.schemaName))
    return try MigrationRoute(store, folders, to: target, module: arguments["--module"])
  }

  /// Throws if only the app can run the migration.
  private static func refuseSteps(_ route: MigrationRoute, _ migration: PostgresMigration) throws {
    let reasons = route.stepsOfProgram + (route.stepsOfProgram.isEmpty ? migration.obstacles : [])
    guard !reasons.isEmpty else { return }
    throw DriverFailure(
      ["error: \(route.title): the app must migrate this store by opening it, for these reasons:"]
        + reasons.map { "  - \($0)" }
        + (route.lastWithoutProgram.map { ["'migrate --to \($0)' migrates the store up to these steps"] } ?? []),
      .findings)
  }

  private static func run(
    _ phase: PostgresMigration.Phase?, _ migration: PostgresMigration, _ route: MigrationRoute,
    _ session: inout Session
  ) throws -> ExitStatus {
    let report = MigrationReport(route, migration)
    if phase != nil, !migration.exclusions.isEmpty {
      throw DriverFailure(
        [
          "error: \(route.title): cannot migrate in phases, because the two app versions cannot share the store:"
        ]
          + migration.exclusions.map { "  - \($0)" }, .findings)
    }
    guard !report.isCurrent else {
      session.say("\(route.title): the current version, nothing to do\n")
      return .clean
    }
    if phase == nil, report.isExpanded {
      session.say(
        "\(route.title): expanded. Run '--phase contract' to complete the migration when no app of an older "
          + "version is running\n")
      return .clean
    }
    session.note("migrating \(route.title)\(phase.map { ", phase '\($0.rawValue)'" } ?? "")\n")
    try migration.run(phase)
    switch phase {
    case nil: session.say("\(route.title): migrated\n")
    case .expand:
      session.say("\(route.title): expanded. Replace the apps, then run '--phase contract'\n")
    case .contract: session.say("\(route.title): contracted; the migration is complete\n")
    }
    return .clean
  }
}
