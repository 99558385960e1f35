/// An app's schema versions, used to determine whether a store must be migrated.
package struct ProgramVersions {
  package let schema: Schema
  package let plan: (any SchemaMigrationPlan.Type)?
  /// The current version number.
  package let number: Schema.Version
  package let fingerprint: String
  /// See ``Schema/valueTypes``.
  package let valueTypes: String
  /// False if neither the plan nor the schema specifies a version.
  private let isNumberKnown: Bool
  /// Versions from schema files, oldest first; empty for an app.
  private let files: [Schema]

  /// - Parameters:
  ///   - number: The schema version, if known to the caller. Several versions may have the same models.
  ///   - files: Versions from schema files, oldest first, ending with the current version; empty for an app.
  package init(
    _ schema: Schema, _ plan: (any SchemaMigrationPlan.Type)?, number: Schema.Version? = nil, files: [Schema] = []
  ) {
    let known = number ?? plan?.version(of: schema)?.versionIdentifier
    self.schema = schema
    self.plan = plan
    self.number = known ?? schema.storedVersion
    isNumberKnown = known != nil || schema.isVersionKnown
    fingerprint = SchemaFingerprint.text(of: schema)
    valueTypes = schema.valueTypes
    self.files = files
  }

  /// True if the schema has a released version: a frozen version, or an earlier version in the plan.
  var hasReleases: Bool { schema.hasReleases || (plan?.schemas.count ?? 0) > 1 }

  /// Versions from the plan or the schema files; `nil` if there are none.
  package var all: MigrationVersions? {
    if let plan { return MigrationVersions(plan, for: schema, fingerprint: fingerprint, number: number) }
    return files.isEmpty ? nil : MigrationVersions(files)
  }

  /// The generated plan's name, if the app does not pass it.
  private var missingPlan: String? {
    plan == nil && files.isEmpty ? schema.sources.first(where: \.hasReleases).map { "\($0.name)MigrationPlan" } : nil
  }

  /// Returns the error message for a store that requires a plan.
  package func refusal(_ reasons: [String]) -> String {
    var seen = Set<String>()
    let lines = reasons.filter { seen.insert($0).inserted }.map { "  - \($0)\n" }
    let advice =
      missingPlan.map { "pass the generated plan to the container, 'migrationPlan: \($0).self'" }
      ?? "write a migration plan that begins with the store's schema, or, if only a name has changed, declare the "
      + "former name as 'originalName'"
    return """
      the store's schema differs from the app's, and a migration would lose or convert values; nothing was touched:
      \(lines.joined())\(advice)
      """
  }
}

/// How a process takes part in store migrations.
package enum StoreAccess {
  /// Migrates the store.
  case owner
  /// Leaves migrations to a different process.
  case client
  /// Only reads the store.
  case reader

  package init(isClient: Bool, allowsSave: Bool) { self = isClient ? .client : allowsSave ? .owner : .reader }
}

/// A store's schema version.
package struct StoredVersion {
  let number: Schema.Version
  let fingerprint: String
  let valueTypes: String
  /// The oldest version that may use the store; `nil` if only the store's own version may.
  let oldest: Schema.Version?
  /// Reads the schema recorded in the store.
  let schema: () throws -> Schema

  package init(
    _ number: Schema.Version, _ fingerprint: String, _ valueTypes: String, oldest: Schema.Version? = nil,
    schema: @escaping () throws -> Schema
  ) {
    self.number = number
    self.oldest = oldest
    self.fingerprint = fingerprint
    self.valueTypes = valueTypes
    self.schema = schema
  }
}

extension ProgramVersions {
  /// Returns true if the store has the current version.
  package func isCurrent(_ stored: StoredVersion) -> Bool {
    stored.number == number && stored.fingerprint == fingerprint
      && Schema.haveSameValueTypes(stored.valueTypes, valueTypes)
  }

  /// Returns the steps from the store's version to the current version; `nil` if the store can be used unchanged.
  ///
  /// - Parameters:
  ///   - opensUnknown: True to migrate a store whose version is not in the plan as if there were no plan.
  ///   - path: The store path for error messages.
  /// - Throws: ``SwiftDataError`` with a ``SwiftDataError/storeProblem`` for newer and unknown versions, and if the
  ///   store requires a migration that this process may not run.
  package func steps(
    from stored: StoredVersion, _ caller: StoreAccess, opensUnknown: Bool, path: String
  ) throws -> [VersionStep]? {
    if isCurrent(stored) { return nil }
    let recorded = try stored.schema()
    let isSame =
      stored.fingerprint == fingerprint && ValueDifference.obstacles(from: recorded, to: schema).isEmpty
    if stored.number > number {
      // Equal tables may hold values with a different meaning, which an app with no version number cannot detect.
      guard isSame, !isNumberKnown else { throw newerStore(stored, path) }
      return nil
    }
    if isSame, caller != .owner { return nil }
    let planned = try plannedSteps(from: stored, recorded, isSame: isSame, opensUnknown, path)
    guard caller != .owner else { return planned ?? [unplannedStep(from: stored, recorded)] }
    if planned == nil {
      let stage = try StageChanges(unplannedStep(from: stored, recorded))
      if stage.leavesTables { return nil }
      if caller == .reader, !stage.refusals.isEmpty {
        throw SwiftDataError.opening(.differentSchema, refusal(stage.refusals), path: path)
      }
    }
    let reason = caller == .client ? "is a client of the store" : "only reads the store ('allowsSave' is false)"
    throw SwiftDataError.opening(
      .needsMigration,
      "the store uses schema version \(stored.number), but this app uses \(number) and \(reason): open the store once "
        + "with the app that owns it (where 'migration.role' is '.owner')", path: path)
  }

  /// - Throws: ``SwiftDataError`` with ``StoreProblem/needsMigration`` if the store is older and the generated plan
  ///   was not passed, because that plan may fill or convert values.
  package func checkPlan(from stored: Schema.Version, path: String) throws {
    guard let missingPlan, stored < number else { return }
    throw SwiftDataError.opening(
      .needsMigration,
      "the store uses schema version \(stored), but the current version is \(number); nothing was touched: pass the "
        + "generated plan to the container, 'migrationPlan: \(missingPlan).self'", path: path)
  }

  /// Returns the plan's steps; `nil` if the store is current or is migrated independently of the plan.
  private func plannedSteps(
    from stored: StoredVersion, _ recorded: Schema, isSame: Bool, _ opensUnknown: Bool, _ path: String
  ) throws -> [VersionStep]? {
    guard let all else { return nil }
    guard let target = all.current else {
      if isSame { return nil }
      throw SwiftDataError.opening(
        .unknownSchema,
        "the container's models match no version of the migration plan: create the container with the last version's "
          + "models, and freeze a version before changing its models", path: path)
    }
    guard let start = all.index(stored.fingerprint, stored.number, recorded) else {
      if isSame || opensUnknown { return nil }
      throw SwiftDataError.opening(.unknownSchema, versionOutsideOfPlan(stored, recorded, all), path: path)
    }
    guard start <= target else { throw newerStore(stored, path) }
    return start == target ? nil : try all.path(from: start, to: target)
  }

  /// - Parameter recorded: The store's schema. This function adds the current types to it.
  private func unplannedStep(from stored: StoredVersion, _ recorded: Schema) -> VersionStep {
    let differences =
      UnplannedStep.differences(from: recorded, to: schema) + ValueDifference.obstacles(from: recorded, to: schema)
    recorded.describeModels(withTypesOf: schema)
    return VersionStep(
      from: .init(type: nil, number: stored.number, schema: recorded, fingerprint: stored.fingerprint),
      to: .init(type: nil, number: number, schema: schema, fingerprint: fingerprint),
      plan: StagePlan(.lightweight(fromVersion: UnknownVersion.self, toVersion: UnknownVersion.self)),
      isPlanned: false, differences: differences)
  }

  private func newerStore(_ stored: StoredVersion, _ path: String) -> SwiftDataError {
    let range = stored.oldest.map { ", for apps from version \($0) on" } ?? ""
    return .opening(
      .newerSchema,
      "the store uses schema version \(stored.number)\(range), but this app only supports \(number): update the app",
      path: path)
  }

  private func versionOutsideOfPlan(_ stored: StoredVersion, _ recorded: Schema, _ all: MigrationVersions) -> String {
    var text = "the schema with which the store was written (version \(stored.number)) is not in the migration plan"
    let nearest = all.all.map { ($0.number, SchemaDifference.text(from: $0.schema, to: recorded)) }
      .min { $0.1.count < $1.1.count }
    if let (version, lines) = nearest {
      text += "; it differs from version \(version) as follows:\n" + lines.map { "  - \($0)" }.joined(separator: "\n")
    }
    return text + "\nadd that version to the plan; if the app's schema only adds to the store's, "
      + "'migration.unknownSchema = .openWhenAdditive' opens the store"
  }
}
