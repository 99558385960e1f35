import Trellis

/// The migration from a store's tables to the current version's tables.
struct PendingMigration {
  let metadata: PostgresMetadata
  /// The plan's steps, or the single unplanned step; empty if the tables do not change.
  let steps: [VersionStep]
  /// The resulting tables.
  let catalogue: StoreCatalogue
  /// Each step's statements.
  let shapes: [ShapeStatements]
  /// Statements for earlier steps that only ran the phase ``PostgresMigration/Phase/expand``.
  let expanded: [ShapeStatements]
  /// Reasons to migrate rows in Swift; empty if SQL statements migrate them.
  let obstacles: [String]
  /// Reasons why both versions cannot use the store at the same time.
  let exclusions: [String]
  let dialect: PostgresDialect

  init(_ metadata: PostgresMetadata, steps: [VersionStep], _ opener: PostgresOpener) throws {
    let changes = try Self.changes(steps, metadata, metadata.record)
    let expanded = try Self.changes(opener.versions.expandedSteps(metadata), metadata, metadata.oldest)
    try self.init(metadata, steps, changes, expanded, opener)
  }

  /// - Parameter record: the stored record for the first step's tables.
  private static func changes(
    _ steps: [VersionStep], _ metadata: PostgresMetadata, _ record: PostgresMetadata.Record?
  ) throws -> [ShapeChange] {
    let known = Set(try metadata.tables.map(\.name))
    return try steps.enumerated().map { index, step in
      try ShapeChange(step, knowing: known, columns: index == 0 ? record?.columns ?? [:] : [:])
    }
  }

  /// An unplanned migration.
  ///
  /// - Throws: `SwiftDataError` with `StoreProblem.differentSchema` if values would be lost or converted.
  init(unplannedFor metadata: PostgresMetadata, _ opener: PostgresOpener) throws {
    let versions = opener.versions
    let step = UnplannedStep.make(
      from: try metadata.schema, columns: try metadata.columns, metadata.version, fingerprint: metadata.fingerprint,
      to: versions.schema, versions.number)
    try self.init(metadata, steps: [step], opener)
    guard obstacles.isEmpty else {
      throw SwiftDataError.opening(
        .differentSchema, versions.refusal(obstacles, opener), path: opener.pool.place)
    }
  }

  private init(
    _ metadata: PostgresMetadata, _ steps: [VersionStep], _ changes: [ShapeChange], _ expanded: [ShapeChange],
    _ opener: PostgresOpener
  ) throws {
    let tables = opener.tables
    let dialect = opener.dialect
    func shapes(_ changes: [ShapeChange], isEmpty: Bool) throws -> [ShapeStatements] {
      try changes.map {
        try ShapeStatements($0, tables, dialect, hasForeignKeys: metadata.hasForeignKeys, isEmpty: isEmpty)
      }
    }
    self.metadata = metadata
    self.steps = steps
    self.dialect = dialect
    catalogue = try changes.last?.new ?? opener.catalogue(metadata)
    let inPlace = try shapes(changes, isEmpty: false)
    obstacles = inPlace.flatMap(\.obstacles)
    self.shapes = obstacles.isEmpty ? inPlace : try shapes(changes, isEmpty: true)
    self.expanded = try shapes(expanded, isEmpty: false)
    var exclusions = inPlace.flatMap(\.exclusions)
    // A removal in an earlier version can block an addition in a later version.
    if inPlace.dropLast().contains(where: { $0.steps.contains { $0.phase == .contract } }) {
      exclusions.append("a version between the two removes something: migrate one version after the other")
    }
    let removed = self.expanded.reduce(into: Set<String>()) { $0.formUnion($1.removed) }
    exclusions += Set(inPlace.flatMap(\.added)).intersection(removed).sorted().map {
      "'\($0)' is still there for programs of an older version: run the phase 'contract' of that migration first"
    }
    // Several statements can have one reason.
    var seen = Set<String>()
    self.exclusions = exclusions.filter { seen.insert($0).inserted }
  }

  /// True if there is no plan.
  var isUnplanned: Bool { steps.contains { !$0.isPlanned } }

  /// True if Swift code migrates the rows.
  var movesRows: Bool { !obstacles.isEmpty }

  /// True if older versions may use the migrated store, because the migration only adds.
  var onlyAdds: Bool {
    !movesRows && exclusions.isEmpty && expanded.isEmpty
      && shapes.allSatisfy { $0.steps.allSatisfy { $0.phase == .expand || $0.isCosmetic } }
  }

  /// Statements that complete a migration after its first phase.
  var earlier: [ShapeStatements.Step] { expanded.flatMap(\.steps).filter { $0.phase == .contract } }

  /// - Parameter phase: nil for all changes in one transaction.
  func statements(_ phase: PostgresMigration.Phase?) -> [ShapeStatements.Step] {
    let all = shapes.flatMap(\.steps)
    let earlier = earlier
    switch phase {
    case .expand: return (shapes.isEmpty ? expanded.flatMap(\.steps) : all).filter { $0.phase == .expand }
    case .contract: return earlier
    // Older versions need default values for new columns.
    case nil: return earlier + all.filter { $0.isWhole && !($0.isCosmetic && onlyAdds) }
    }
  }

  /// The oldest version's record that the migrated store serves; nil if the expanded store has no record.
  var oldestAfterwards: PostgresMetadata.Record? {
    get throws { try metadata.former.isEmpty ? metadata.record : metadata.oldest }
  }

  /// Versions that may use the store after the phase ``PostgresMigration/Phase/expand``.
  var servedAfterwards: [PostgresMetadata.Former] {
    metadata.former + [PostgresMetadata.Former(version: metadata.version, fingerprint: metadata.fingerprint)]
      + steps.dropFirst().map { PostgresMetadata.Former(version: $0.from.number, fingerprint: $0.from.fingerprint) }
  }
}
