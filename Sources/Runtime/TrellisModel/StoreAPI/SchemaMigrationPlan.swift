/// The schema versions, oldest first, and the migration stages between them.
///
/// The schema compiler generates a plan from released versions and names it after the schema: `TripsMigrationPlan` for
/// `schema Trips`. A handwritten plan looks like this:
///
/// ```swift
/// enum TripsPlan: SchemaMigrationPlan {
///   static var schemas: [any VersionedSchema.Type] {
///     [SampleTripsSchema.V2_0_0.self, SampleTripsSchema.V3_0_0.self]
///   }
///   static var stages: [MigrationStage] {
///     [.lightweight(fromVersion: SampleTripsSchema.V2_0_0.self, toVersion: SampleTripsSchema.V3_0_0.self)]
///   }
/// }
///
/// let schema = Schema(versionedSchema: SampleTripsSchema.V3_0_0.self)
/// let container = try ModelContainer(for: schema, migrationPlan: TripsPlan.self)
/// ```
///
/// When a container opens a store of an older version, the stages from that version to the current version run in a
/// single transaction. If a stage fails, the container's initializer throws a ``SwiftDataError`` with a problem such
/// as ``StoreProblem/migrationFailed``, and the store is unchanged. See <doc:Migrations>.
public protocol SchemaMigrationPlan: SendableMetatype {
  /// The versions, oldest first. The last version is the current version.
  static var schemas: [any VersionedSchema.Type] { get }
  /// The stages in order. If no stage starts at a version, a lightweight stage to the next version is inferred.
  static var stages: [MigrationStage] { get }
  /// Steps that provide the values that lightweight stages cannot derive. The default is empty. Not in SwiftData.
  static var steps: [MigrationSteps] { get }
  /// Calls a stage's closure with a context for a store that is being migrated, and discards unsaved changes.
  /// Implemented above the stores, which cannot create contexts.
  static func _$run<S: DataStore>(over store: S, _ body: (ModelContext) throws -> Void) throws
  /// Calls a step's code with contexts for the old and new rows, and saves the new rows.
  static func _$run<S: DataStore>(
    from old: S, to new: S, report: @escaping () -> Void, _ body: (MigrationRows) throws -> Void) throws
}

extension SchemaMigrationPlan {
  /// Empty: the plan has no steps.
  public static var steps: [MigrationSteps] { [] }
}

extension SchemaMigrationPlan {
  /// Returns the last version that contains a schema's models.
  package static func version(of schema: Schema) -> (any VersionedSchema.Type)? {
    schemas.last { version in
      let shared = version.models.map { $0._$definition }.filter { schema.entitiesByName[$0.entityName] != nil }
      return !shared.isEmpty && shared.allSatisfy { schema.definition(named: $0.entityName) === $0 }
    }
  }
}

/// A migration between two consecutive versions.
///
/// ```swift
/// let stage = MigrationStage.custom(
///   fromVersion: SampleTripsSchema.V2_0_0.self, toVersion: SampleTripsSchema.V3_0_0.self,
///   willMigrate: { context in
///     try context.delete(model: SampleTripsSchema.V2_0_0.Trip.self, where: #Predicate { $0.name == "" })
///     try context.save()
///   },
///   didMigrate: { context in
///     let reunions = try context.fetch(FetchDescriptor<Trip>()).filter { $0.kind == .reunion }
///     for trip in reunions { trip.tags = ["family"] }
///     try context.save()
///   })
/// ```
///
/// ``MigrationSteps`` add values to a lightweight stage, row by row or with access to old and new rows.
public enum MigrationStage: @unchecked Sendable {  // closures run while one container opens
  /// A change to the store's schema for which all values can be derived.
  ///
  /// Covers added and removed models and properties, properties renamed through `originalName`, types that can
  /// represent every old value, and values that become optional. Models and properties that are no longer in the schema
  /// are dropped with the values. If a change requires values that neither the schema nor ``SchemaMigrationPlan/steps``
  /// provides, the migration fails before it begins.
  case lightweight(fromVersion: any VersionedSchema.Type, toVersion: any VersionedSchema.Type)
  /// A migration that runs app code.
  ///
  /// - Parameters:
  ///   - willMigrate: Called with a context for the models of `fromVersion`, before the store's schema changes; `nil`
  ///     if nothing must be done.
  ///   - didMigrate: Called with a context for the models of `toVersion`, after the schema change; `nil` if nothing
  ///     must be done.
  ///
  /// Unsaved changes are discarded when a closure returns, so call ``ModelContext/save()``. An error thrown by a
  /// closure aborts the migration and leaves the store unchanged.
  case custom(
    fromVersion: any VersionedSchema.Type, toVersion: any VersionedSchema.Type,
    willMigrate: ((ModelContext) throws -> Void)?, didMigrate: ((ModelContext) throws -> Void)?)

  /// The source version.
  package var fromVersion: any VersionedSchema.Type {
    switch self {
    case .lightweight(let from, _), .custom(let from, _, _, _): from
    }
  }

  /// The target version.
  package var toVersion: any VersionedSchema.Type {
    switch self {
    case .lightweight(_, let to), .custom(_, let to, _, _): to
    }
  }
}

/// Migration progress. Not in SwiftData.
///
/// ```swift
/// var configuration = ModelConfiguration(url: url)
/// configuration.migration.observer = { progress in print(progress) }
/// let container = try ModelContainer(
///   for: Trip.self, migrationPlan: SampleTripsMigrationPlan.self, configurations: configuration)
/// // 1.0.0 → 2.0.0: 12000 of 40000 rows (30 %), model 'Trip'
/// ```
public struct MigrationProgress: Sendable, Hashable, CustomStringConvertible {
  /// A migration's current activity.
  ///
  /// ```swift
  /// var configuration = ModelConfiguration(url: url)
  /// configuration.migration.observer = { progress in
  ///   if case .rows(let entity) = progress.activity { print(entity, progress.fraction) }  // Trip 0.3
  /// }
  /// ```
  public enum Activity: Sendable, Hashable {
    /// The store is being copied before any change.
    case backup
    /// A model's rows are being copied to the new version.
    case rows(entity: String)
    /// A custom step is running.
    case custom(name: String)
    /// The result is being compared with a new store.
    case check
  }

  /// The running stage's source version.
  public let from: Schema.Version
  /// The running stage's target version.
  public let to: Schema.Version
  /// The current activity.
  public let activity: Activity
  /// The number of rows copied so far in all stages.
  public let completedRows: Int
  /// The expected total row count, estimated before the first stage.
  public let expectedRows: Int

  package init(
    from: Schema.Version, to: Schema.Version, activity: Activity, completedRows: Int, expectedRows: Int
  ) {
    self.from = from
    self.to = to
    self.activity = activity
    self.completedRows = completedRows
    self.expectedRows = expectedRows
  }

  /// A readable summary with the versions, rows and current activity.
  public var description: String {
    let work =
      switch activity {
      case .backup: "copying the store"
      case .rows(let entity): "model '\(entity)'"
      case .custom(let name): "custom step '\(name)'"
      case .check: "checking the result"
      }
    let rows = expectedRows == 0 ? "" : "\(completedRows) of \(expectedRows) rows (\(Int(fraction * 100)) %), "
    return "\(from) → \(to): \(rows)\(work)"
  }

  /// The completed fraction, from 0 to 1.
  public var fraction: Double {
    expectedRows == 0 ? 1 : min(1, Double(completedRows) / Double(expectedRows))
  }
}
