public import Trellis

/// The migration of a store from its version to that of the program, in two phases.
///
/// A program that opens an older store migrates it in one transaction. With phases, programs of the older version keep
/// running in between:
///
/// ```swift
/// let migration = try PostgresMigration(configuration, migrationPlan: TripsMigrationPlan.self)
/// try migration.run(.expand)
/// // Replace the running programs by those of the new version.
/// try PostgresMigration(configuration, migrationPlan: TripsMigrationPlan.self).run(.contract)
/// ```
///
/// `trellis-postgres migrate` does the same from schema files. Not in SwiftData.
public struct PostgresMigration {
  /// A part of a migration.
  public enum Phase: String, Sendable, Hashable, CaseIterable {
    /// Adds tables, columns and indexes that programs of the older version do not use. Programs of both versions may use
    /// the store afterwards.
    case expand
    /// Removes what only programs of the older version use, and adds unique constraints. Programs of the older version
    /// get an error afterwards.
    case contract
  }

  /// The version of the store.
  public let from: Schema.Version
  /// The version of the program.
  public let to: Schema.Version
  /// The reasons why programs of both versions cannot use the store at the same time; empty if the migration has phases.
  public var exclusions: [String] { pending.exclusions }
  /// The reasons why the program itself has to migrate the rows when it opens the store; empty if statements do so.
  public var obstacles: [String] { pending.obstacles }

  private let opener: PostgresOpener
  private let pending: PendingMigration

  /// Compares a store with the last version of a plan.
  ///
  /// - Parameters:
  ///   - configuration: the store. Without a schema it has all models of the last version.
  ///   - migrationPlan: the versions and stages of the program.
  /// - Throws: `SwiftDataError` with a `SwiftDataError.storeProblem` for a store that is missing, of a newer or of an
  ///   unknown version, and for stages that lack something; ``PostgresError``.
  public init(_ configuration: PostgresConfiguration, migrationPlan: any SchemaMigrationPlan.Type) throws {
    var configuration = configuration
    if configuration.schema == nil {
      configuration.schema = migrationPlan.schemas.last.map { Schema(versionedSchema: $0) }
    }
    try self.init(PostgresOpener(configuration, migrationPlan))
  }

  /// Compares a store with the versions of schema files, oldest first.
  ///
  /// - Throws: as ``init(_:migrationPlan:)``.
  package init(_ configuration: PostgresConfiguration, versions: [Schema]) throws {
    guard let last = versions.last else { throw SwiftDataError.unknownSchema }
    let versions = ProgramVersions(last, nil, number: last.storedVersion, files: versions)
    try self.init(PostgresOpener(configuration, last, versions))
  }

  private init(_ opener: PostgresOpener) throws {
    self.opener = opener
    (pending, from) = try opener.pool.withConnection { connection in
      try opener.checkServer(connection)
      guard let metadata = try opener.read(connection) else {
        throw SwiftDataError.opening(
          .missing, "the database has no tables of this store", path: opener.pool.place)
      }
      let pending = try opener.pending(metadata) ?? PendingMigration(metadata, steps: [], opener)
      return (pending, metadata.version)
    }
    to = opener.versions.number
  }

  /// The statements of a phase, in order. If the migration has no phases, those of the first one are empty.
  public func statements(_ phase: Phase) -> [String] {
    let hasPhases = pending.obstacles.isEmpty && pending.exclusions.isEmpty
    if hasPhases {
      let own = phase == .expand || pending.shapes.isEmpty
      let steps = own ? pending.statements(phase) : pending.shapes.flatMap(\.steps).filter { $0.phase == .contract }
      return steps.flatMap { ($0.gradual?.statements ?? [$0.statement]).map(text) }
    }
    return phase == .expand ? [] : pending.statements(nil).map { text($0.statement) }
  }

  private func text(_ fragment: SQLFragment) -> String { opener.dialect.text(of: fragment) }

  /// Runs a phase. Running it again changes nothing, and finishes what was interrupted.
  ///
  /// - Parameter phase: nil for all changes in one transaction, as opening the store with the program does.
  /// - Throws: `SwiftDataError` with `StoreProblem.migrationFailed` if programs of both versions cannot use the store
  ///   at the same time, if the program has to migrate the rows, and if rows have equal values of a new unique constraint;
  ///   with `StoreProblem.locked` if others keep the tables locked; with `StoreProblem.needsMigration` for the second
  ///   phase before the first one; ``PostgresError``.
  public func run(_ phase: Phase? = nil) throws {
    let migrator = PostgresMigrator(opener: opener, pending: pending)
    try opener.pool.withConnection { connection in
      if pending.steps.isEmpty, pending.shapes.isEmpty {
        switch phase {
        case .expand: return try migrator.finish(connection)
        case .contract where !pending.metadata.former.isEmpty: break
        case .contract, nil: return
        }
      } else if phase == .contract {
        throw SwiftDataError.opening(
          .needsMigration,
          "the store has version \(from) of the schema and the program \(to): run the phase 'expand' first, and replace "
            + "the programs of the older version", path: opener.pool.place)
      }
      _ = try migrator.run(phase, connection)
    }
  }
}
