import Foundation
import Trellis

/// Gives the recorded changes of earlier versions the names of the new version.
struct HistoryNamesMigration {
  let opener: PostgresOpener
  let pending: PendingMigration

  /// - Parameter follows: false to leave the names of earlier versions, whose programs may use the store.
  func run(follows: Bool, _ connection: PostgresConnection) throws {
    let table: SQLFragment = "\(name: opener.tables.names)"
    var recorded: [(epoch: Int64, text: String)] = []
    try connection.run(
      PostgresStatement("SELECT \"epoch\", \"names\" FROM \(table) ORDER BY 1", opener.dialect, isPrepared: false)
    ) { row in recorded.append((row.integer(0) ?? 0, row.string(1) ?? "")) }
    let own = HistoryNames(pending.catalogue.layout).text
    var statements: [SQLFragment] = []
    if follows {
      for (epoch, text) in recorded where text != own {
        guard let names = HistoryNames(text: text) else { continue }
        let moved = try following(names).text
        guard moved != text else { continue }
        statements.append(
          "UPDATE \(table) SET \"names\" = \(value: .text(moved)) WHERE \"epoch\" = \(value: .integer(epoch))")
      }
    }
    if !recorded.contains(where: { $0.text == own }) {
      let next = (recorded.map(\.epoch).max() ?? 0) + 1
      statements.append("INSERT INTO \(table) VALUES (\(value: .integer(next)), \(value: .text(own)))")
    }
    try connection.run(statements.map { PostgresStatement($0, opener.dialect, isPrepared: false) })
    if follows, pending.steps.contains(where: { !$0.plan.isOnlyShape }), opener.configuration.history.isRecorded {
      try noteGap(connection)
    }
  }

  private func following(_ names: HistoryNames) throws -> HistoryNames {
    let steps = try opener.versions.expandedSteps(pending.metadata) + pending.steps
    // Programs of a version between the first one and the last one have recorded their own names.
    let versions = (pending.expanded + pending.shapes).map { HistoryNames($0.change.old.layout) }
    let start = versions.lastIndex(of: names) ?? versions.lastIndex { $0.hasSameNames(as: names) }
    return steps.dropFirst(start ?? 0).reduce(names) {
      $0.following(from: $1.from.schema, to: $1.to.schema, filled: $1.fills)
    }
  }

  /// Tells readers of the history that code of the program has changed rows.
  private func noteGap(_ connection: PostgresConnection) throws {
    let log = HistoryLog(
      pending.catalogue, store: pending.metadata.identifier, epoch: 0, retaining: nil, dialect: opener.dialect)
    let columns: [(String, SQLFragment)] = [
      ("save", "\(value: .text(UUID.unique().uuidString))"),
      ("time", "\(value: .real(Date.timeIntervalSinceReferenceDate))"),
      ("bundle", "\(value: .text(HistoryLog.program))"), ("process", "\(value: .text(HistoryLog.process))"),
      ("changes", "\(value: .blob(log.writer(isComplete: false).bytes))"),
      ("generation", "\(value: .integer(pending.metadata.generation + 1))"),
    ]
    try connection.run(
      opener.commits.insertion(columns, "").map { PostgresStatement($0, opener.dialect, isPrepared: false) })
  }
}
