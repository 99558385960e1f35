import StoreCommands
import TrellisPostgres

/// A migration's SQL statements as text.
struct MigrationReport {
  private let route: MigrationRoute
  private let migration: PostgresMigration

  init(_ route: MigrationRoute, _ migration: PostgresMigration) {
    self.route = route
    self.migration = migration
  }

  /// True if the store has the target version and no phase is pending.
  var isCurrent: Bool {
    migration.from == migration.to && PostgresMigration.Phase.allCases.allSatisfy { migration.statements($0).isEmpty }
  }

  /// True if only the 'contract' phase remains.
  var isExpanded: Bool { migration.from == migration.to && !migration.statements(.contract).isEmpty }

  /// The statements, separated by comments.
  ///
  /// - Parameter phase: The phase to print, or nil for both.
  func sql(_ phase: PostgresMigration.Phase?) -> String {
    guard !isCurrent else { return "-- \(route.title): the current version, nothing to do\n" }
    var lines = ["-- \(route.title)"]
    if !migration.exclusions.isEmpty {
      lines.append("-- in one transaction, because apps of both versions cannot use the store concurrently:")
      lines += migration.exclusions.map { "-- - \($0)" }
    }
    for own in PostgresMigration.Phase.allCases where phase == nil || phase == own {
      let statements = migration.statements(own)
      if migration.exclusions.isEmpty {
        lines += ["", "-- phase '\(own.rawValue)'" + (statements.isEmpty ? ": nothing" : "")]
      }
      lines += statements.map { "\($0);" }
    }
    return lines.joined(separator: "\n") + "\n"
  }
}
