import Foundation
public import Trellis

/// Opens a populated store of every version of a plan at every later version, and compares.
///
/// One line in a test says that every installed store still opens:
///
/// ```swift
/// @Test func everyInstalledStoreOpens() throws {
///   try MigrationMatrix(TripsMigrationPlan.self).check()
/// }
/// ```
///
/// For each pair of versions:
///
/// - the store opens, and every row is there under its key, but for those that `dedupe` steps leave out
///   and those of models that are gone;
/// - every value is what it was, but for properties that are filled, changed in type or gone, and every
///   relationship leads to the rows it led to, in their order where it has one;
/// - the tables, and what the store says of itself, are those of a new store of that version;
/// - the copy that was made before is the old store;
/// - opening it a second time does nothing;
/// - a process that is killed in the middle leaves the old store, which still migrates, or the new one.
public struct MigrationMatrix {
  private let plan: any SchemaMigrationPlan.Type
  private let rowsPerModel: Int
  private let changing: Set<String>
  private let statements: Int

  /// - Parameters:
  ///   - plan: the versions and stages, as generated or written by hand.
  ///   - rowsPerModel: how many rows each model of a populated store gets.
  ///   - changing: what custom steps change although its type stays: `Trip` for a model's rows,
  ///     `Trip.name` for a value or a relationship, by the names of the newer version.
  ///   - killedAt: at how many statements of each migration a process is killed: at all of them if there
  ///     are no more, else at some that are spread evenly. 0 leaves this out.
  public init(
    _ plan: any SchemaMigrationPlan.Type, rowsPerModel: Int = 24, changing: Set<String> = [],
    killedAt: Int = 100
  ) {
    self.plan = plan
    self.rowsPerModel = rowsPerModel
    self.changing = changing
    statements = max(0, killedAt)
  }

  /// What was tried.
  public struct Report: Sendable, CustomStringConvertible {
    /// The pairs of versions, older and newer.
    public var hops: [(from: Schema.Version, to: Schema.Version)] = []
    /// How many rows were compared.
    public var rows = 0
    /// How many values were compared.
    public var values = 0
    /// How many relationships of rows were compared.
    public var links = 0
    /// At how many statements a process was killed.
    public var statements = 0

    public var description: String {
      "\(hops.count) hops, \(rows) rows, \(values) values, \(links) relationships, killed at "
        + "\(statements) statements"
    }
  }

  /// Tries every pair, in a temporary folder that is removed afterwards.
  ///
  /// - Throws: ``MigrationMatrixError`` with everything that was found; also where there was nothing to
  ///   compare, since a test that tries nothing proves nothing.
  @discardableResult
  public func check() throws -> Report {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("migration-matrix-\(UUID.unique().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    var report = Report()
    var problems: [MigrationMatrixError.Problem] = []
    let versions = plan.schemas
    for (index, old) in versions.enumerated() {
      for new in versions.dropFirst(index + 1) {
        let hop = MatrixHop(
          plan: plan, from: old, to: new, rows: rowsPerModel, changing: changing, statements: statements,
          folder: folder.appendingPathComponent("\(report.hops.count)"))
        do {
          problems += try hop.run(&report)
        } catch {
          problems.append(hop.problem(error))
        }
        report.hops.append((old.versionIdentifier, new.versionIdentifier))
        try? FileManager.default.removeItem(at: hop.folder)
      }
    }
    guard !report.hops.isEmpty else { throw MigrationMatrixError.nothingToTry(versions: versions.count) }
    guard problems.isEmpty else { throw MigrationMatrixError.failed(problems) }
    guard report.rows > 0, report.values + report.links > 0, report.statements > 0 || statements == 0 else {
      throw MigrationMatrixError.nothingCompared(report)
    }
    return report
  }
}
