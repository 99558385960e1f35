import Trellis

/// Checks a version pair in any kind of store.
struct StoreHop {
  let hop: MatrixHop
  let configuration: any DataStoreConfiguration
  /// A second store, which is migrated in the same way.
  let second: any DataStoreConfiguration
  /// A store created with the newer version.
  let fresh: any DataStoreConfiguration

  typealias Problem = MatrixHop.Problem

  /// Runs the migration and returns all problems.
  func run(_ report: inout MigrationMatrix.Report) throws -> [MatrixHop.Problem] {
    let before: StoreContents
    let identifier: String?
    do {
      (before, identifier) = try populate(configuration)
    } catch {
      return [
        hop.problem("cannot create a populated store of \(hop.from.versionIdentifier): \(error)", MatrixHop.report)
      ]
    }
    guard !before.isEmpty else {
      return [hop.problem("the populated store has no rows", "the older version needs a model that can be created")]
    }
    let migrated = try container(hop.to, configuration)
    let after = try StoreContents(of: hop.to, migrated)
    var problems = MatrixComparison(hop: hop, before: before, after: after).problems(&report)
    if migrated.storeIdentifier(forConfigurationNamed: configuration.name) != identifier {
      problems.append(hop.problem("the store identifier and the model identifiers have changed", MatrixHop.report))
    }
    let shape = try migrated.shapedStores.map { try $0.shape() }
    problems += try compareWithNewStore(shape)
    problems += try openAgain(after, shape)
    problems += try repeatMigration(before, after)
    return problems
  }

  private func container(
    _ version: any VersionedSchema.Type, _ configuration: any DataStoreConfiguration
  ) throws -> ModelContainer {
    try ModelContainer(
      for: Schema(versionedSchema: version), migrationPlan: hop.plan, configurations: [configuration])
  }

  /// Creates a store with the older version, and returns the contents after reopening it.
  private func populate(
    _ configuration: any DataStoreConfiguration
  ) throws -> (contents: StoreContents, identifier: String?) {
    try StoreFixture(hop.from, rowsPerModel: hop.rows).write(into: container(hop.from, configuration))
    let opened = try container(hop.from, configuration)
    return (
      try StoreContents(of: hop.from, opened), opened.storeIdentifier(forConfigurationNamed: configuration.name)
    )
  }

  /// Checks that a migrated store has the same tables as a new store.
  private func compareWithNewStore(_ found: [[String]]) throws -> [Problem] {
    let wanted = try container(hop.to, fresh).shapedStores.map { try $0.shape() }
    return zip(wanted, found).compactMap { wanted, found in
      let missing = wanted.filter { !found.contains($0) }
      let left = found.filter { !wanted.contains($0) }
      guard !missing.isEmpty || !left.isEmpty else { return nil }
      var difference = hop.problem("the migrated store differs from a new store", MatrixHop.report)
      difference.expected = missing.joined(separator: "; ")
      difference.found = left.joined(separator: "; ")
      return difference
    }
  }

  private func openAgain(_ after: StoreContents, _ shape: [[String]]) throws -> [Problem] {
    let opened = try container(hop.to, configuration)
    let advice = "after a stage, the store must match the version; check the values written by the steps"
    var problems: [Problem] = []
    if let difference = try StoreContents(of: hop.to, opened).difference(from: after) {
      problems.append(hop.problem("opening the store a second time changes it: \(difference)", advice))
    }
    if try opened.shapedStores.map({ try $0.shape() }) != shape {
      problems.append(hop.problem("opening the store a second time changes its tables", MatrixHop.report))
    }
    return problems
  }

  /// Checks that migrating an equal store has the same result. Values can differ, because steps can use the time or
  /// random values.
  private func repeatMigration(_ before: StoreContents, _ after: StoreContents) throws -> [Problem] {
    // Custom stores may assign random keys, in which case the rows cannot be compared.
    guard try populate(second).contents.isAlike(before) else { return [] }
    let again = try StoreContents(of: hop.to, container(hop.to, second))
    guard !again.isAlike(after) else { return [] }
    return [
      hop.problem(
        "a second migration produces different rows",
        "steps must not depend on row order or random values")
    ]
  }
}
