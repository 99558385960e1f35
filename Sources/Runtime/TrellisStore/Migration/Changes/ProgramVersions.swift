/// The schema versions of a program, which are compared with the version of a store.
package struct ProgramVersions {
  package let schema: Schema
  package let plan: (any SchemaMigrationPlan.Type)?
  /// The current version number.
  package let number: Schema.Version
  package let fingerprint: String
  /// See ``Schema/valueTypes``.
  package let valueTypes: String
  /// False if neither the plan nor the schema states the version.
  private let isNumberKnown: Bool
  /// The versions of schema files, oldest first; empty for a program.
  private let files: [Schema]

  /// - Parameters:
  ///   - number: The version of the schema, if the caller knows it; versions may have equal models.
  ///   - files: The versions of schema files, oldest first, up to the current version; empty for a program.
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

  /// True if the schema has a released version: a frozen one, or a former one in the plan.
  var hasReleases: Bool { schema.hasReleases || (plan?.schemas.count ?? 0) > 1 }

  /// The versions of the plan or the schema files; nil if there are none.
  package var all: MigrationVersions? {
    if let plan { return MigrationVersions(plan, for: schema, fingerprint: fingerprint, number: number) }
    return files.isEmpty ? nil : MigrationVersions(files)
  }

  /// The name of the generated plan, if the schema has one and the program does not use it.
  private var missingPlan: String? {
    plan == nil && files.isEmpty ? schema.sources.first(where: \.hasReleases).map { "\($0.name)MigrationPlan" } : nil
  }

  /// The error message for a store that needs a plan.
  package func refusal(_ reasons: [String]) -> String {
    var seen = Set<String>()
    let lines = reasons.filter { seen.insert($0).inserted }.map { "  - \($0)\n" }
    let advice =
      missingPlan.map { "pass the generated plan to the container, 'migrationPlan: \($0).self'" }
      ?? "write a migration plan that begins with the store's schema, or, where only a name has changed, the former one as "
      + "'originalName'"
    return """
      the store has another schema than the program, a change would lose or convert values, and nothing was touched:
      \(lines.joined())\(advice)
      """
  }
}

/// The part of a program in the migrations of a store.
package enum StoreAccess {
  /// Migrates the store.
  case owner
  /// Leaves migrations to another program.
  case client
  /// Only reads the store.
  case reader

  package init(isClient: Bool, allowsSave: Bool) { self = isClient ? .client : allowsSave ? .owner : .reader }
}

/// The schema version of a store.
package struct StoredVersion {
  let number: Schema.Version
  let fingerprint: String
  let valueTypes: String
  /// The oldest version whose programs may use the store; nil for the store's own version.
  let oldest: Schema.Version?
  /// Reads the schema that the store has recorded.
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
  /// True if the store has the current version.
  package func isCurrent(_ stored: StoredVersion) -> Bool {
    stored.number == number && stored.fingerprint == fingerprint
      && Schema.haveSameValueTypes(stored.valueTypes, valueTypes)
  }

  /// The steps from the version of a store to the current one; nil if the program uses the store as it is.
  ///
  /// - Parameters:
  ///   - opensUnknown: True to migrate a store whose version is not in the plan as one without a plan.
  ///   - path: The store that errors name.
  /// - Throws: ``SwiftDataError`` with a ``SwiftDataError/storeProblem`` for newer and unknown versions, and if the
  ///   program does not migrate a store that needs it.
  package func steps(
    from stored: StoredVersion, _ caller: StoreAccess, opensUnknown: Bool, path: String
  ) throws -> [VersionStep]? {
    if isCurrent(stored) { return nil }
    let recorded = try stored.schema()
    let isSame =
      stored.fingerprint == fingerprint && ValueDifference.obstacles(from: recorded, to: schema).isEmpty
    if stored.number > number {
      // Equal tables may have values with another meaning. A program without a version number cannot tell.
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
    let reason = caller == .client ? "is a client of the store" : "only reads it ('allowsSave' is false)"
    throw SwiftDataError.opening(
      .needsMigration,
      "the store has version \(stored.number) of the schema, the program \(number), and this program \(reason): open it "
        + "once with the program that owns it ('migration.role' is '.owner' there)", path: path)
  }

  /// - Throws: ``SwiftDataError`` with ``StoreProblem/needsMigration`` for a store of an older version that is opened without
  ///   the generated plan, which may fill or convert values.
  package func checkPlan(from stored: Schema.Version, path: String) throws {
    guard let missingPlan, stored < number else { return }
    throw SwiftDataError.opening(
      .needsMigration,
      "the store has version \(stored) of the schema, the current version is \(number), and nothing was touched: pass the "
        + "generated plan to the container, 'migrationPlan: \(missingPlan).self'", path: path)
  }

  /// The steps of the plan; nil if the store has the current version, or is migrated without the plan.
  private func plannedSteps(
    from stored: StoredVersion, _ recorded: Schema, isSame: Bool, _ opensUnknown: Bool, _ path: String
  ) throws -> [VersionStep]? {
    guard let all else { return nil }
    guard let target = all.current else {
      if isSame { return nil }
      throw SwiftDataError.opening(
        .unknownSchema,
        "the models of the container are not those of any version of the migration plan: make the container of the "
          + "models of its last version, and freeze a version before its models change", path: path)
    }
    guard let start = all.index(stored.fingerprint, stored.number, recorded) else {
      if isSame || opensUnknown { return nil }
      throw SwiftDataError.opening(.unknownSchema, versionOutsideOfPlan(stored, recorded, all), path: path)
    }
    guard start <= target else { throw newerStore(stored, path) }
    return start == target ? nil : try all.path(from: start, to: target)
  }

  /// - Parameter recorded: The store's schema, which gets the current types.
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
    let range = stored.oldest.map { ", for programs from version \($0) on" } ?? ""
    return .opening(
      .newerSchema,
      "the store has version \(stored.number) of the schema\(range), the program \(number): update the program",
      path: path)
  }

  private func versionOutsideOfPlan(_ stored: StoredVersion, _ recorded: Schema, _ all: MigrationVersions) -> String {
    var text = "the schema the store was written with (version \(stored.number)) is none of the migration plan"
    let nearest = all.all.map { ($0.number, SchemaDifference.text(from: $0.schema, to: recorded)) }
      .min { $0.1.count < $1.1.count }
    if let (version, lines) = nearest {
      text += "; it differs from version \(version) in this:\n" + lines.map { "  - \($0)" }.joined(separator: "\n")
    }
    return text + "\nadd that version to the plan; where the program only has more than the store, "
      + "'migration.unknownSchema = .openWhenAdditive' opens it"
  }
}
