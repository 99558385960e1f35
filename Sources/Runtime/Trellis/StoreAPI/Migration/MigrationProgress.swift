/// The progress of a migration. Not in SwiftData.
///
///     configuration.migration.observer = { print($0) }
///     // 1.0.0 → 2.0.0: 12000 of 40000 rows (30 %), model 'Trip'
public struct MigrationProgress: Sendable, Hashable, CustomStringConvertible {
  /// What is being done.
  public enum Activity: Sendable, Hashable {
    /// The store is copied before anything changes.
    case backup
    /// Rows of a model are carried over.
    case rows(entity: String)
    /// A custom step runs.
    case custom(name: String)
    /// The result is compared with a new store.
    case check
  }

  /// The version the running stage starts from.
  public let from: Schema.Version
  /// The version it leads to.
  public let to: Schema.Version
  /// What is being done.
  public let activity: Activity
  /// The rows that were carried over so far, of all stages.
  public let completedRows: Int
  /// How many there will have been in the end; an estimate made before the first stage.
  public let expectedRows: Int

  package init(
    from: Schema.Version, to: Schema.Version, activity: Activity, completedRows: Int, expectedRows: Int
  ) {
    self.from = from
    self.to = to
    self.activity = activity
    self.completedRows = completedRows
    self.expectedRows = expectedRows
  }

  /// The versions, the rows and the current activity, for people.
  public var description: String {
    let work =
      switch activity {
      case .backup: "copying the store"
      case .rows(let entity): "model '\(entity)'"
      case .custom(let name): "custom step '\(name)'"
      case .check: "checking the result"
      }
    let rows = expectedRows == 0 ? "" : "\(completedRows) of \(expectedRows) rows (\(Int(fraction * 100)) %), "
    return "\(from) → \(to): \(rows)\(work)"
  }

  /// From 0 to 1.
  public var fraction: Double {
    expectedRows == 0 ? 1 : min(1, Double(completedRows) / Double(expectedRows))
  }
}
