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
  /// The steps of an earlier migration that has only run the phase ``PostgresMigration/Phase/expand``.
  let expandedSteps: [VersionStep]
  /// The statements for ``expandedSteps``.
  let expanded: [ShapeStatements]
  /// Reasons why rows must be migrated in Swift; empty if SQL statements migrate them.
  let obstacles: [String]
  /// Reasons why the two versions cannot use the store at the same time.
  let exclusions: [String]

  /// - Throws: `SwiftDataError` with `StoreProblem.differentSchema` for an unplanned migration if values would be lost
  ///   or converted.
  init(_ metadata: PostgresMetadata, steps: [VersionStep], _ opener: PostgresOpener) throws {
    func shape(_ step: VersionStep) throws -> ShapeStatements {
      try ShapeStatements(ShapeChange(step), opener.tables, opener.dialect, hasForeignKeys: metadata.hasForeignKeys)
    }
    self.metadata = metadata
    self.steps = steps
    expandedSteps = try Self.expandedSteps(metadata, opener.versions)
    expanded = try expandedSteps.map(shape)
    shapes = try steps.map(shape)
    catalogue = try shapes.last?.change.new ?? CatalogueBuilder.catalogue(of: opener.schema)
    obstacles = shapes.flatMap(\.obstacles)
    var exclusions = shapes.flatMap(\.exclusions)
    // An earlier step's removal can block a later step's addition.
    if shapes.dropLast().contains(where: { $0.steps.contains { $0.phase == .contract } }) {
      exclusions.append("an intermediate version removes something: migrate one version at a time")
    }
    let removed = expanded.reduce(into: Set<String>()) { $0.formUnion($1.removed) }
    exclusions += Set(shapes.flatMap(\.added)).intersection(removed).sorted().map {
      "'\($0)' still exists for an older app version: run the phase 'contract' of that migration first"
    }
    // Several statements can give the same reason.
    var seen = Set<String>()
    self.exclusions = exclusions.filter { seen.insert($0).inserted }
    if isUnplanned, !obstacles.isEmpty { throw opener.refusal(obstacles) }
  }

  /// Returns the steps from the oldest version that may still use the store to the store's own version.
  private static func expandedSteps(_ metadata: PostgresMetadata, _ versions: ProgramVersions) throws -> [VersionStep] {
    guard let all = versions.all, let first = metadata.former.first,
      let start = try all.index(first.fingerprint, first.version, metadata.oldest),
      let end = try all.index(metadata.fingerprint, metadata.version, metadata.schema), start < end
    else { return [] }
    return try all.path(from: start, to: end)
  }

  /// True for a migration that has no plan.
  var isUnplanned: Bool { steps.contains { !$0.isPlanned } }

  /// True if Swift code migrates the rows.
  var movesRows: Bool { !obstacles.isEmpty }

  /// True if older versions may use the migrated store, because the migration only adds elements.
  var onlyAdds: Bool {
    !movesRows && exclusions.isEmpty && expanded.isEmpty
      && shapes.allSatisfy { $0.steps.allSatisfy { $0.phase == .expand || $0.isCosmetic } }
  }

  /// The statements that complete an earlier migration, which has only run its first phase.
  var earlier: [ShapeStatements.Step] { expanded.flatMap(\.steps).filter { $0.phase == .contract } }

  /// - Parameter phase: `nil` for all changes in one transaction.
  func statements(_ phase: PostgresMigration.Phase?) -> [ShapeStatements.Step] {
    let all = shapes.flatMap(\.steps).filter { !$0.changesRows || !movesRows }
    switch phase {
    case .expand: return (shapes.isEmpty ? expanded.flatMap(\.steps) : all).filter { $0.phase == .expand }
    case .contract: return earlier
    // New columns keep their default values if older versions, which need them, may use the store.
    case nil: return earlier + all.filter { $0.isWhole && !($0.isCosmetic && onlyAdds) }
    }
  }

  /// The schema of the oldest version that the migrated store supports; `nil` if the metadata does not contain it.
  var oldestAfterwards: Schema? {
    get throws { try metadata.former.isEmpty ? metadata.schema : metadata.oldest }
  }

  /// Versions that may use the store after the phase ``PostgresMigration/Phase/expand``.
  var servedAfterwards: [PostgresMetadata.Former] {
    metadata.former + [PostgresMetadata.Former(version: metadata.version, fingerprint: metadata.fingerprint)]
      + steps.dropFirst().map { PostgresMetadata.Former(version: $0.from.number, fingerprint: $0.from.fingerprint) }
  }
}
