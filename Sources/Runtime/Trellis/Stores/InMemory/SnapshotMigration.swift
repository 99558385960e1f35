/// Migrates the models of a custom store. Not in SwiftData, where a store gets the migration plan and nothing else.
///
/// A store saves the version of its schema with its models, ``version(of:plan:)``. Opened with a plan, it asks for the
/// stages to the last version, decodes its models as snapshots of the old schema, and saves the result:
///
///     if let plan = migrationPlan,
///       let migration = try SnapshotMigration(plan, from: file.version, storeIdentifier: identifier)
///     {
///       let decoder = JSONDecoder()
///       decoder.userInfo[.schema] = migration.schema
///       let old = try decoder.decode([DefaultSnapshot].self, from: file.data)
///       try write(migration.run(old), version: migration.version)
///     }
///
/// The snapshots become rows of an in-memory database that goes through the stages as the file of a ``DefaultStore`` does,
/// so the rules are those of any migration: values keep their property by name or `originalName`, new properties get the
/// default value of the schema, and what the new version does not have goes, with the references to it. Models keep their
/// keys.
public struct SnapshotMigration: Sendable {
  /// The stages from the stored version to the last one, oldest first. Where the plan has no stage between two
  /// neighbouring versions, it is a lightweight one.
  public var stages: [MigrationStage] { plans.map(\.stage) }
  package let plans: [StagePlan]
  /// The schema of the stored version: the store decodes its snapshots with it.
  public let schema: Schema
  /// The version that the stages lead to.
  public let version: Schema.Version
  private let stored: Schema.Version
  private let last: Schema
  private let plan: any SchemaMigrationPlan.Type
  private let storeIdentifier: String

  /// Finds the stages from a stored version to the last one; nil if the stored version is the last one.
  ///
  /// - Parameters:
  ///   - plan: the plan that the store was opened with.
  ///   - stored: the version that the store was written with.
  ///   - storeIdentifier: the ``DataStore/identifier`` of the store, for models that stages insert.
  /// - Throws: ``SwiftDataError/backwardMigration`` for a version newer than all of the plan,
  ///   ``SwiftDataError/unknownDataStoreSchema`` for another version that the plan does not have,
  ///   ``SwiftDataError/unknownSchema`` when its stages do not lead from one version to the next.
  public init?(
    _ plan: any SchemaMigrationPlan.Type, from stored: Schema.Version, storeIdentifier: String
  ) throws {
    try PlanRules.check(plan)
    let numbers = plan.schemas.map { $0.versionIdentifier }
    guard let newest = plan.schemas.last, newest.versionIdentifier != stored else { return nil }
    guard let start = numbers.firstIndex(of: stored) else {
      if let highest = numbers.max(), stored > highest {
        throw SwiftDataError.backwardMigration.explained(
          "the store was written with version \(stored), the plan ends with \(newest.versionIdentifier)")
      }
      throw SwiftDataError.unknownDataStoreSchema.explained(
        "the store was written with version \(stored), which is not among the plan's "
          + numbers.map { "\($0)" }.joined(separator: ", "))
    }
    last = Schema(versionedSchema: newest)
    version = newest.versionIdentifier
    let versions = MigrationVersions(
      plan, for: last, fingerprint: SchemaFingerprint.text(of: last), number: version)
    plans = try versions.path(from: start, to: numbers.count - 1).map(\.plan)
    schema = versions.all[start].schema
    self.plan = plan
    self.stored = stored
    self.storeIdentifier = storeIdentifier
  }

  /// The version of a store's models, for the store to save: the last version of its plan, or else the version that the
  /// models were generated from.
  public static func version(
    of schema: Schema, plan: (any SchemaMigrationPlan.Type)?
  ) -> Schema.Version {
    plan?.schemas.last?.versionIdentifier ?? schema.storedVersion
  }

  /// Migrates snapshots of the stored version to snapshots of the last version.
  ///
  /// The method saves nothing. After an error the store still has what it had.
  ///
  /// `dedupe` takes the model with the higher key for the newer one where the keys are integers; where they are not, the
  /// one that comes later in `snapshots`.
  ///
  /// - Parameter snapshots: all models of the store. References to models that are not among them are dropped.
  /// - Throws: ``SwiftDataError/unknownSchema`` for properties that no stage gives a value and for values that their new
  ///   type cannot hold, ``SwiftDataError/modelValidationFailure`` for models that break the rules of the stored
  ///   version, the errors that the code of a stage throws.
  public func run(_ snapshots: [DefaultSnapshot]) throws -> [DefaultSnapshot] {
    try InMemorySnapshotStore(snapshots, of: schema, version: stored, identifier: storeIdentifier)
      .migrated(by: plan, to: last)
  }
}
