import Trellis

/// Known schema versions, compared with a store's version.
struct ProgramVersions {
  let schema: Schema
  /// The current version number.
  let number: Schema.Version
  let fingerprint: String
  let valueTypes: String
  let plan: (any SchemaMigrationPlan.Type)?
  /// Nil if there is no plan.
  let all: MigrationVersions?

  /// - Throws: `SwiftDataError.unknownSchema` for a plan that cannot be carried out.
  init(_ schema: Schema, _ plan: (any SchemaMigrationPlan.Type)?) throws {
    if let plan { try PlanRules.check(plan) }
    self.schema = schema
    self.plan = plan
    fingerprint = SchemaFingerprint.text(of: schema)
    valueTypes = schema.valueTypes
    number = plan?.version(of: schema)?.versionIdentifier ?? schema.storedVersion
    all = plan.map { [fingerprint, number] in
      MigrationVersions($0, for: schema, fingerprint: fingerprint, number: number)
    }
  }

  /// Schema file versions, oldest first; the last is the current version.
  init?(_ schemas: [Schema]) {
    guard let last = schemas.last else { return nil }
    schema = last
    number = last.storedVersion
    fingerprint = SchemaFingerprint.text(of: last)
    valueTypes = last.valueTypes
    plan = nil
    all = MigrationVersions(schemas)
  }

  /// The error message for a store that needs a plan.
  func refusal(_ reasons: [String], _ opener: PostgresOpener) -> String {
    let refusal = UnplannedStep.refusal(reasons, schema, plan)
    guard plan == nil, !schema.sources.contains(where: \.hasReleases) else { return refusal }
    let name: SQLFragment = "\(name: opener.tables.schemaName ?? "public")"
    return refusal + """
      . No version of this schema is released yet. During development, 'ALTER SCHEMA \(name.text) RENAME TO old' keeps the \
      rows under a new name, and after 'CREATE SCHEMA \(name.text)' the store is empty
      """
  }

  /// True if the store needs no migration: it serves the current version, and keeps each property in the same column. The
  /// property order may differ.
  func uses(_ metadata: PostgresMetadata, _ opener: PostgresOpener) throws -> Bool {
    if metadata.serves(number, fingerprint, valueTypes) { return true }
    func isReordered(_ record: PostgresMetadata.Record) throws -> Bool {
      try opener.catalogue(metadata).reorders(record.schema, columns: record.columns)
    }
    if metadata.version == number, try isReordered(metadata.record) { return true }
    guard metadata.minimum == number, let oldest = try metadata.oldest else { return false }
    return try isReordered(oldest)
  }

  /// The store's pending migration; nil if it needs none.
  ///
  /// - Throws: `SwiftDataError` with a `SwiftDataError.storeProblem` for newer and unknown versions, and for a missing plan.
  func pending(_ metadata: PostgresMetadata, _ opener: PostgresOpener) throws -> PendingMigration? {
    if try uses(metadata, opener) { return nil }
    func failure(_ problem: StoreProblem, _ explanation: String) -> SwiftDataError {
      .opening(problem, explanation, path: opener.pool.place)
    }
    func newer() -> SwiftDataError {
      failure(
        .newerSchema,
        "the store has version \(metadata.version) of the schema, for programs from version \(metadata.minimum) on, and "
          + "the program has \(number): update the program")
    }
    let isSame = metadata.fingerprint == fingerprint && metadata.hasValueTypes(valueTypes)
    if metadata.version > number {
      // Without a version number, equal tables may still have values with a different meaning.
      guard isSame, all == nil, !schema.isVersionKnown else { throw newer() }
      return nil
    }
    guard let all else {
      guard opener.mayMigrate || !isSame else { return nil }
      let pending =
        try isSame ? PendingMigration(metadata, steps: [], opener) : PendingMigration(unplannedFor: metadata, opener)
      if opener.mayMigrate, let problem = UnplannedStep.missingPlan(of: schema, from: metadata.version, to: number) {
        throw failure(.needsMigration, problem)
      }
      return pending
    }
    guard let target = all.current else {
      throw failure(
        .unknownSchema,
        "the models of the container are not those of any version of the migration plan: make the container of the "
          + "models of its last version, and freeze a version before its models change")
    }
    guard let start = try all.index(metadata.fingerprint, metadata.version, metadata.schema) else {
      guard opener.configuration.migration.unknownSchema == .openWhenAdditive else {
        throw failure(.unknownSchema, try unknown(metadata, all))
      }
      return try PendingMigration(unplannedFor: metadata, opener)
    }
    guard start <= target else { throw newer() }
    if start == target {
      // The property order and the columns differ.
      if metadata.fingerprint != fingerprint { return try PendingMigration(unplannedFor: metadata, opener) }
      if metadata.version == number || !opener.mayMigrate { return nil }
    }
    return try PendingMigration(metadata, steps: all.path(from: start, to: target), opener)
  }

  private func unknown(_ metadata: PostgresMetadata, _ all: MigrationVersions) throws -> String {
    var text =
      "the schema the store was written with (version \(metadata.version)) is none of the migration plan"
    let stored = try metadata.schema
    let nearest = all.all.map { ($0.number, SchemaDifference.text(from: $0.schema, to: stored)) }
      .min { $0.1.count < $1.1.count }
    if let (version, lines) = nearest {
      text += "; it differs from version \(version) in this:\n" + lines.map { "  - \($0)" }.joined(separator: "\n")
    }
    return text + "\nadd that version to the plan; where the program only has more than the store, "
      + "'migration.unknownSchema = .openWhenAdditive' opens it"
  }

  /// Steps whose older versions may still use the store.
  func expandedSteps(_ metadata: PostgresMetadata) throws -> [VersionStep] {
    guard let all, let first = metadata.former.first,
      let start = try all.index(first.fingerprint, first.version, metadata.oldest?.schema),
      let end = try all.index(metadata.fingerprint, metadata.version, metadata.schema), start < end
    else { return [] }
    return try all.path(from: start, to: end)
  }
}
