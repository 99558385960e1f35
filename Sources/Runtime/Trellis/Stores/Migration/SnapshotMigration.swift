/// Leads what a store of one's own has kept from the version of the schema it was written with to the last
/// one of a migration plan. Not in SwiftData, where a store gets the plan and nothing else.
///
/// A store notes with what it keeps of which version it is, ``version(of:plan:)``. When it is opened with a
/// plan, it asks for the way, reads what it has as snapshots of the old models, and keeps what it gets:
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
/// Models and properties keep their values by name, or by `originalName`; what is new gets the default
/// value of the schema, and what is gone is left out, with the references to it. Models keep their keys.
public struct SnapshotMigration: Sendable {
  /// The stages from the stored version to the last one, oldest first. Where the plan has none between two
  /// neighbouring versions it is a lightweight one.
  public var stages: [MigrationStage] { ways.map(\.stage) }
  let ways: [StagePlan]
  /// The models the store was written with: snapshots are decoded within it.
  public let schema: Schema
  /// The version the stages lead to.
  public let version: Schema.Version
  private let storeIdentifier: String

  /// Finds the way from a stored version; nil when there is none to go.
  ///
  /// - Parameters:
  ///   - plan: what the store was opened with.
  ///   - stored: the version that the store was written with.
  ///   - storeIdentifier: the ``DataStore/identifier`` of the store, for models that stages insert.
  /// - Throws: ``SwiftDataError/backwardMigration`` for a version newer than all of the plan,
  ///   ``SwiftDataError/unknownDataStoreSchema`` for another one it does not have,
  ///   ``SwiftDataError/unknownSchema`` when its stages do not lead from one version to the next.
  public init?(
    _ plan: any SchemaMigrationPlan.Type, from stored: Schema.Version, storeIdentifier: String
  ) throws {
    try PlanRules.check(plan)
    let versions = plan.schemas
    let numbers = versions.map { $0.versionIdentifier }
    guard let last = numbers.last, last != stored else { return nil }
    guard let start = numbers.firstIndex(of: stored) else {
      if let newest = numbers.max(), stored > newest {
        throw SwiftDataError.backwardMigration.explained(
          "the store was written with version \(stored), the plan ends with \(last)")
      }
      throw SwiftDataError.unknownDataStoreSchema.explained(
        "the store was written with version \(stored), which is not among the plan's "
          + numbers.map { "\($0)" }.joined(separator: ", "))
    }
    ways = try Self.stages(of: plan, versions, from: start)
    schema = Schema(versionedSchema: versions[start])
    version = last
    self.storeIdentifier = storeIdentifier
  }

  /// The version of a store's models, for the store to note: the last one of its plan, or else the one
  /// the models were generated from.
  public static func version(
    of schema: Schema, plan: (any SchemaMigrationPlan.Type)?
  ) -> Schema.Version {
    plan?.schemas.last?.versionIdentifier ?? schema.storedVersion
  }

  private static func stages(
    of plan: any SchemaMigrationPlan.Type, _ versions: [any VersionedSchema.Type], from start: Int
  ) throws -> [StagePlan] {
    func index(_ type: any VersionedSchema.Type) -> Int? {
      versions.firstIndex { ObjectIdentifier($0) == ObjectIdentifier(type) }
    }
    let given = StagePlan.all(of: plan)
    var stages: [StagePlan] = []
    var current = start
    while current < versions.count - 1 {
      let found = given.first { index($0.fromVersion) == current }
      let next = found.flatMap { index($0.toVersion) } ?? current + 1
      stages.append(
        found ?? StagePlan(.lightweight(fromVersion: versions[current], toVersion: versions[next])))
      current = next
    }
    return stages
  }

  /// The snapshots of the last version that follow from those of the stored one.
  ///
  /// Nothing is written. An error leaves everything to the store as it is.
  ///
  /// - Parameter snapshots: all of them: references are looked up among them.
  /// - Throws: ``SwiftDataError/unknownSchema`` for properties that nothing gives a value, what the code of
  ///   a stage throws.
  public func run(_ snapshots: [DefaultSnapshot]) throws -> [DefaultSnapshot] {
    var snapshots = snapshots
    for stage in ways {
      snapshots = try SnapshotStage(stage, storeIdentifier: storeIdentifier).run(snapshots)
    }
    return snapshots
  }
}
