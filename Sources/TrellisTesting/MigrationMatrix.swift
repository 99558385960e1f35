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
/// For each pair of versions: the store opens; every row is there under its key, but for those that
/// `dedupe` steps leave out; every value is what it was, but for properties that are filled, changed in
/// type or gone; opening it a second time does nothing.
public struct MigrationMatrix {
  private let plan: any SchemaMigrationPlan.Type
  private let rowsPerModel: Int
  private let changing: Set<String>

  /// - Parameters:
  ///   - plan: the versions and stages, as generated or written by hand.
  ///   - rowsPerModel: how many rows each model of a populated store gets.
  ///   - changing: what custom steps change although its type stays: `Trip` for a model's rows,
  ///     `Trip.name` for a value, by the names of the newer version.
  public init(
    _ plan: any SchemaMigrationPlan.Type, rowsPerModel: Int = 24, changing: Set<String> = []
  ) {
    self.plan = plan
    self.rowsPerModel = rowsPerModel
    self.changing = changing
  }

  /// What was tried.
  public struct Report: Sendable, CustomStringConvertible {
    /// The pairs of versions, older and newer.
    public var hops: [(from: Schema.Version, to: Schema.Version)] = []
    /// How many rows were compared.
    public var rows = 0
    /// How many values were compared.
    public var values = 0

    public var description: String { "\(hops.count) hops, \(rows) rows, \(values) values" }
  }

  /// Tries every pair, in a temporary folder that is removed afterwards.
  ///
  /// - Throws: ``MigrationMatrixError`` with everything that was found; also where the plan has no two
  ///   versions, since a test that tries nothing proves nothing.
  @discardableResult
  public func check() throws -> Report {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("migration-matrix-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    var report = Report()
    var problems: [String] = []
    let versions = plan.schemas
    for (index, old) in versions.enumerated() {
      for new in versions.dropFirst(index + 1) {
        let hop = MatrixHop(
          plan: plan, from: old, to: new, rows: rowsPerModel, changing: changing,
          url: folder.appendingPathComponent("\(report.hops.count).store"))
        do {
          problems += try hop.run(&report)
        } catch {
          problems.append("\(hop.title): \(error)")
        }
        report.hops.append((old.versionIdentifier, new.versionIdentifier))
      }
    }
    guard !report.hops.isEmpty else { throw MigrationMatrixError.nothingToTry(versions.count) }
    guard problems.isEmpty else { throw MigrationMatrixError.failed(problems) }
    return report
  }
}

/// What a matrix found.
public enum MigrationMatrixError: Error, CustomStringConvertible {
  /// The plan has fewer than two versions.
  case nothingToTry(Int)
  /// Stores that do not open, rows and values that are not there.
  case failed([String])

  public var description: String {
    switch self {
    case .nothingToTry(let count):
      "the plan has \(count == 0 ? "no version" : "one version"), so nothing was tried: release a version "
        + "first (trellis freeze)"
    case .failed(let problems):
      "\(problems.count) problems:\n" + problems.map { "  - \($0)" }.joined(separator: "\n")
    }
  }
}
