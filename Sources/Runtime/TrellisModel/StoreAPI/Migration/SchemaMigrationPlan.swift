/// The versions of a schema, oldest first, and how to get from each to the next.
public protocol SchemaMigrationPlan: SendableMetatype {
  /// Oldest first; the last one is the current version.
  static var schemas: [any VersionedSchema.Type] { get }
  /// One stage per step that is not inferred, in order.
  static var stages: [MigrationStage] { get }
  /// Where the values of lightweight stages come from that do not follow by themselves; none unless
  /// implemented. Not in SwiftData.
  static var steps: [MigrationSteps] { get }
  /// Calls a closure of a stage with a context over a store that is being migrated, and drops what it leaves unsaved.
  /// Implemented above the stores, which make no contexts.
  static func _$run<S: DataStore>(over store: S, _ body: (ModelContext) throws -> Void) throws
  /// Calls the code of a step with contexts over the old and the new rows, and saves the new ones.
  static func _$run<S: DataStore>(
    from old: S, to new: S, report: @escaping () -> Void, _ body: (MigrationRows) throws -> Void) throws
}

extension SchemaMigrationPlan {
  /// No steps.
  public static var steps: [MigrationSteps] { [] }
}

extension SchemaMigrationPlan {
  /// The last version that has the models of a schema.
  package static func version(of schema: Schema) -> (any VersionedSchema.Type)? {
    schemas.last { version in
      let shared = version.models.map { $0._$definition }.filter { schema.entitiesByName[$0.entityName] != nil }
      return !shared.isEmpty && shared.allSatisfy { schema.definition(named: $0.entityName) === $0 }
    }
  }
}

/// One step of a migration, between two neighbouring versions.
public enum MigrationStage: @unchecked Sendable {  // closures run while one container opens
  /// The store's shape changes and its values follow without help.
  ///
  /// Models and properties that are new, gone or renamed by `originalName`, values whose type can hold
  /// every old one, and values that become optional. What is no longer in the schema is dropped with its
  /// values. A change that would need values that neither the schema nor ``SchemaMigrationPlan/steps`` give
  /// ends the migration before it begins.
  case lightweight(fromVersion: any VersionedSchema.Type, toVersion: any VersionedSchema.Type)
  /// Code of the program takes part.
  ///
  /// - Parameters:
  ///   - willMigrate: called with a context over the models of `fromVersion`, before the store's
  ///     shape changes.
  ///   - didMigrate: called with a context over the models of `toVersion`, after it changed.
  ///
  /// What the closures leave unsaved is not kept. An error one of them throws ends the migration
  /// and leaves the store as it was.
  case custom(
    fromVersion: any VersionedSchema.Type, toVersion: any VersionedSchema.Type,
    willMigrate: ((ModelContext) throws -> Void)?, didMigrate: ((ModelContext) throws -> Void)?)

  /// The version the stage starts from.
  package var fromVersion: any VersionedSchema.Type {
    switch self {
    case .lightweight(let from, _), .custom(let from, _, _, _): from
    }
  }

  /// The version the stage leads to.
  package var toVersion: any VersionedSchema.Type {
    switch self {
    case .lightweight(_, let to), .custom(_, let to, _, _): to
    }
  }
}

/// The progress of a migration. Not in SwiftData.
///
///     configuration.migration.observer = { print($0) }
///     // 1.0.0 → 2.0.0: 12000 of 40000 rows (30 %), model 'Trip'
public struct MigrationProgress: Sendable, Hashable, CustomStringConvertible {
  /// What is being done.
  public enum Activity: Sendable, Hashable {
    /// The store is copied before anything changes.
    case backup
    /// Rows of a model are carried over.
    case rows(entity: String)
    /// A custom step runs.
    case custom(name: String)
    /// The result is compared with a new store.
    case check
  }

  /// The version the running stage starts from.
  public let from: Schema.Version
  /// The version it leads to.
  public let to: Schema.Version
  /// What is being done.
  public let activity: Activity
  /// The rows that were carried over so far, of all stages.
  public let completedRows: Int
  /// How many there will have been in the end; an estimate made before the first stage.
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

  /// The versions, the rows and the current activity, for people.
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

  /// From 0 to 1.
  public var fraction: Double {
    expectedRows == 0 ? 1 : min(1, Double(completedRows) / Double(expectedRows))
  }
}
