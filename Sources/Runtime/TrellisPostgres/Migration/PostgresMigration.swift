public import Trellis

/// Migrates a store to the app's schema version in two phases.
///
/// An app that opens an older store migrates it in one transaction. If it is migrated in phases, instances of the older
/// app version keep running between the two phases. Run the first phase, replace all running instances with the new
/// version, and run the second phase:
///
/// ```swift
/// func migrate(_ phase: PostgresMigration.Phase) throws {
///   let configuration = PostgresConfiguration(url: "postgres://trips_owner@db.example.com/trips")
///   let migration = try PostgresMigration(configuration, migrationPlan: SampleTripsMigrationPlan.self)
///   try migration.run(phase)
/// }
/// ```
///
/// A migration whose stages run Swift code cannot run in phases; see ``obstacles`` and ``exclusions``.
///
/// `trellis-postgres migrate` does the same with schema files. Not in SwiftData.
public struct PostgresMigration {
  /// A migration phase.
  ///
  /// ```swift
  /// // A deployment passes "expand" before the rollout and "contract" afterwards.
  /// let phase = CommandLine.arguments.last.flatMap(PostgresMigration.Phase.init)
  /// ```
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
  /// Reasons why the two app versions cannot use the store at the same time; empty if the migration can run in phases.
  public var exclusions: [String] { pending.exclusions }
  /// Reasons why the plan's Swift code must migrate the rows, which takes a single transaction; empty if SQL statements
  /// migrate them.
  public var obstacles: [String] { pending.obstacles }

  private let opener: PostgresOpener
  private let pending: PendingMigration

  /// Compares a store with the last version in a plan. Changes nothing.
  ///
  /// ```swift
  /// let configuration = PostgresConfiguration(url: "postgres://trips_owner@db.example.com/trips")
  /// let migration = try PostgresMigration(configuration, migrationPlan: SampleTripsMigrationPlan.self)
  /// print("\(migration.from) → \(migration.to)")   // 1.0.0 → 3.0.0
  /// for reason in migration.obstacles + migration.exclusions { print("no phases:", reason) }
  /// ```
  ///
  /// - Parameters:
  ///   - configuration: The store's configuration. If it has no schema, the store contains all models of the last
  ///     version.
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
  /// - Throws: The same errors as ``init(_:migrationPlan:)``.
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

  /// Returns a phase's SQL statements, in order, for review before a deployment.
  ///
  /// ```swift
  /// let configuration = PostgresConfiguration(url: "postgres://trips_owner@db.example.com/trips")
  /// let migration = try PostgresMigration(configuration, migrationPlan: SampleTripsMigrationPlan.self)
  /// for phase in PostgresMigration.Phase.allCases {
  ///   print("-- \(phase.rawValue)")
  ///   for statement in migration.statements(phase) { print("\(statement);") }
  /// }
  /// ```
  ///
  /// - Parameter phase: The phase. If the migration cannot run in phases, `expand` has no statements and `contract` has
  ///   all of them.
  /// - Returns: The statements; empty if the phase changes nothing.
  public func statements(_ phase: Phase) -> [String] {
    let hasPhases = pending.obstacles.isEmpty && pending.exclusions.isEmpty
    if hasPhases {
      let own = phase == .expand || pending.shapes.isEmpty
      let steps = own ? pending.statements(phase) : pending.shapes.flatMap(\.steps).filter { $0.phase == .contract }
      return steps.flatMap { ($0.gradual?.statements ?? [$0.statement]).map(opener.text) }
    }
    return phase == .expand ? [] : pending.statements(nil).map { opener.text($0.statement) }
  }

  /// Runs a phase, or the whole migration.
  ///
  /// ```swift
  /// let configuration = PostgresConfiguration(url: "postgres://trips_owner@db.example.com/trips")
  /// let migration = try PostgresMigration(configuration, migrationPlan: SampleTripsMigrationPlan.self)
  /// if migration.obstacles.isEmpty, migration.exclusions.isEmpty {
  ///   try migration.run(.expand)
  /// } else {
  ///   try migration.run()   // in one transaction: stop the older app version first
  /// }
  /// ```
  ///
  /// Running a phase again finishes it if it was interrupted; otherwise it changes nothing.
  ///
  /// - Parameter phase: `nil` for all changes in one transaction, as when the app opens the store.
  /// - Throws: `SwiftDataError` with `StoreProblem.migrationFailed` if a phase is requested and ``obstacles`` or
  ///   ``exclusions`` is not empty, or if rows violate a new unique constraint; with `StoreProblem.locked` if the
  ///   tables remain locked; with `StoreProblem.needsMigration` if the second phase is run before the first;
  ///   ``PostgresError``; errors from the plan's stages.
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
