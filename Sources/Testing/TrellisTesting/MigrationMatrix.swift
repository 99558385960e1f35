import Foundation
public import Trellis

/// Migrates a populated store for each pair of versions that a plan's stages connect, and compares the contents.
///
/// A single test verifies that every installed store still opens. The test target needs the product `TrellisTesting`:
///
/// ```swift
/// import TrellisTesting
///
/// @Test func everyInstalledStoreOpens() throws {
///   try MigrationMatrix(SampleTripsMigrationPlan.self).check()
/// }
/// ```
///
/// The plan needs at least two versions; otherwise, the check throws ``MigrationMatrixError/nothingToTry(versions:)``.
/// For each pair of versions, the check verifies:
///
/// - The store opens and contains every row with its key, except rows removed by `dedupe` steps and rows of removed
///   models.
/// - Values are unchanged, except for filled, converted and removed properties. Relationships refer to their previous
///   destinations, in the previous order if they are ordered.
/// - The tables and the metadata are the same as in a new store of the version.
/// - The backup has the same contents as the old store.
/// - A second opening changes nothing.
/// - A process that is killed during the migration leaves the old store, which can still be migrated, or the new
///   store.
public struct MigrationMatrix {
  private let plan: any SchemaMigrationPlan.Type
  private let rowsPerModel: Int
  private let changing: Set<String>
  private let statements: Int

  /// Creates a matrix.
  ///
  /// ```swift
  /// import TrellisTesting
  ///
  /// // A custom step rewrites the details of all items.
  /// let matrix = MigrationMatrix(SampleTripsMigrationPlan.self, changing: ["BucketListItem.details"])
  /// try matrix.check()
  /// ```
  ///
  /// - Parameters:
  ///   - plan: The versions and stages, generated or written by hand.
  ///   - rowsPerModel: The row count for each model in a populated store, at least 2.
  ///   - changing: The contents that custom steps change although the type remains the same: `Trip` for a model's rows,
  ///     `Trip.name` for an attribute or a relationship. Use the newer version's names.
  ///   - killedAt: The maximum number of statements in each migration at which a process is killed. If the migration
  ///     has more statements, these are distributed evenly. 0 omits this check.
  public init(
    _ plan: any SchemaMigrationPlan.Type, rowsPerModel: Int = 24, changing: Set<String> = [],
    killedAt: Int = 100
  ) {
    self.plan = plan
    self.rowsPerModel = rowsPerModel
    self.changing = changing
    statements = max(0, killedAt)
  }

  /// Summarizes a check.
  ///
  /// ```swift
  /// import TrellisTesting
  ///
  /// let report = try MigrationMatrix(SampleTripsMigrationPlan.self).check()
  /// for (old, new) in report.hops { print("\(old) → \(new)") }
  /// // 1.0.0 → 2.0.0
  /// // 1.0.0 → 3.0.0
  /// // 2.0.0 → 3.0.0
  /// ```
  public struct Report: Sendable, CustomStringConvertible {
    /// The checked version pairs, in the plan's order.
    public var hops: [(from: Schema.Version, to: Schema.Version)] = []
    /// The number of compared rows.
    public var rows = 0
    /// The number of compared values.
    public var values = 0
    /// The number of compared relationships.
    public var links = 0
    /// The number of statements at which a process was killed.
    public var statements = 0

    public var description: String {
      "\(hops.count) hops, \(rows) rows, \(values) values, \(links) relationships, killed at "
        + "\(statements) statements"
    }
  }

  /// Checks all version pairs in a temporary folder, which is removed afterwards.
  ///
  /// ```swift
  /// import TrellisTesting
  ///
  /// try MigrationMatrix(SampleTripsMigrationPlan.self, killedAt: 0).check()  // faster: no process is killed
  /// ```
  ///
  /// - Returns: A summary of the check.
  /// - Throws: ``MigrationMatrixError`` with all problems, or if there was nothing to compare.
  @discardableResult
  public func check() throws -> Report {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("migration-matrix-\(UUID.unique().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let report = try check { hop, number, report in
      let place = FileHop(hop: hop, folder: folder.appendingPathComponent("\(number)"), statements: statements)
      defer { try? FileManager.default.removeItem(at: place.folder) }
      return try place.run(&report)
    }
    guard report.statements > 0 || statements == 0 else { throw MigrationMatrixError.nothingCompared(report) }
    return report
  }

  /// Checks all version pairs in custom stores.
  ///
  /// ```swift
  /// import TrellisPostgres
  /// import TrellisTesting
  ///
  /// try MigrationMatrix(SampleTripsMigrationPlan.self).check { name in
  ///   var configuration = PostgresConfiguration(url: "postgres://localhost/test")
  ///   configuration.schemaName = name
  ///   return configuration
  /// }
  /// ```
  ///
  /// The stores are not removed. The check is the same as ``check()``, but it ignores backups and kills no process. It
  /// also migrates a second store for each version pair and expects the same rows. Tables are compared only if the
  /// store belongs to this library.
  ///
  /// - Parameter store: Returns the configuration for a new, empty store with a name. Names are unique within a check,
  ///   and contain letters, digits and underscores. If it throws, the error is reported as a problem.
  /// - Returns: A summary of the check. No process was killed.
  /// - Throws: ``MigrationMatrixError`` with all problems, or if there was nothing to compare.
  @discardableResult
  public func check(in store: (_ name: String) throws -> any DataStoreConfiguration) throws -> Report {
    try check { hop, number, report in
      try StoreHop(
        hop: hop, configuration: store("matrix_\(number)"), second: store("matrix_\(number)_second"),
        fresh: store("matrix_\(number)_new")
      ).run(&report)
    }
  }

  private func check(
    _ run: (_ hop: MatrixHop, _ number: Int, _ report: inout Report) throws -> [MatrixHop.Problem]
  ) throws -> Report {
    var report = Report()
    var problems: [MigrationMatrixError.Problem] = []
    let versions = plan.schemas
    for (index, old) in versions.enumerated() {
      for new in versions.dropFirst(index + 1) where StagePlan.way(of: plan, from: old, to: new) != nil {
        let hop = MatrixHop(plan: plan, from: old, to: new, rows: rowsPerModel, changing: changing)
        do {
          problems += try run(hop, report.hops.count, &report)
        } catch {
          problems.append(hop.problem(error))
        }
        report.hops.append((old.versionIdentifier, new.versionIdentifier))
      }
    }
    guard !report.hops.isEmpty else { throw MigrationMatrixError.nothingToTry(versions: versions.count) }
    guard problems.isEmpty else { throw MigrationMatrixError.failed(problems) }
    guard report.rows > 0, report.values + report.links > 0 else {
      throw MigrationMatrixError.nothingCompared(report)
    }
    return report
  }
}
