public import Trellis

/// Migrates a store to the app's schema version in two phases.
///
/// An app that opens an older store migrates it in one transaction. With phases, instances of the older app version
/// keep running in between:
///
/// ```swift
/// let migration = try PostgresMigration(configuration, migrationPlan: TripsMigrationPlan.self)
/// try migration.run(.expand)
/// // Replace all running instances with the new version.
/// try PostgresMigration(configuration, migrationPlan: TripsMigrationPlan.self).run(.contract)
/// ```
///
/// `trellis-postgres migrate` does the same from schema files. Not in SwiftData.
public struct PostgresMigration {
  /// A migration phase.
  public enum Phase: String, Sendable, Hashable, CaseIterable {
    /// Adds tables, columns and indexes that the older app version does not use. Both app versions may use the store
    /// afterwards.
    case expand
    /// Removes elements that only the older app version uses, and adds unique constraints. The older app version
    /// receives an error afterwards.
    case contract
  }

  /// The store's schema version.
  public let from: Schema.Version
  /// The app's schema version.
  public let to: Schema.Version
  /// Reasons why both app versions cannot use the store at the same time; empty if the migration has phases.
  public var exclusions: [String] { pending.exclusions }
  /// Reasons why the app itself must migrate the rows when it opens the store; empty if SQL statements migrate them.
  public var obstacles: [String] { pending.obstacles }

  private let opener: PostgresOpener
  private let pending: PendingMigration

  /// Compares a store with the last version in a plan.
  ///
  /// - Parameters:
  ///   - configuration: The store. If it has no schema, the store contains all models of the last version.
  ///   - migrationPlan: The app's versions and stages.
  /// - Throws: `SwiftDataError` with a `SwiftDataError.storeProblem` if the store is missing or has a newer or unknown
  ///   version, or if the stages are incomplete; ``PostgresError``.
  public init(_ configuration: PostgresConfiguration, migrationPlan: any SchemaMigrationPlan.Type) throws {
    var configuration = configuration
    if configuration.schema == nil {
      configuration.schema = migrationPlan.schemas.last.map { Schema(versionedSchema: $0) }
    }
    try self.init(PostgresOpener(configuration, migrationPlan))
  }

  /// Compares a store with the versions in schema files, oldest first.
  ///
  /// - Throws: As ``init(_:migrationPlan:)``.
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
          .missing, "the database does not contain this store", path: opener.pool.place)
      }
      let pending = try opener.pending(metadata) ?? PendingMigration(metadata, steps: [], opener)
      return (pending, metadata.version)
    }
    to = opener.versions.number
  }

  /// The statements of a phase, in order. If the migration has no phases, the first phase is empty and the second
  /// contains all statements.
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

  /// Runs a phase. Running it again finishes an interrupted phase; otherwise it changes nothing.
  ///
  /// - Parameter phase: `nil` for all changes in one transaction, as when the app opens the store.
  /// - Throws: `SwiftDataError` with `StoreProblem.migrationFailed` if both app versions cannot use the store at the
  ///   same time, if the app has to migrate the rows, or if rows violate a new unique constraint; with
  ///   `StoreProblem.locked` if the tables remain locked; with `StoreProblem.needsMigration` if the second phase
  ///   precedes the first; ``PostgresError``.
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
          "the store has schema version \(from) and the app \(to): run the phase 'expand' first, and replace all "
            + "instances of the older app version", path: opener.pool.place)
      }
      _ = try migrator.run(phase, connection)
    }
  }
}
