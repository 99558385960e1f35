/// The rows of one fetch, or of one list, in their order: what a relationship of one model is read
/// for at the same time.
///
/// Holds no models, and of rows in the order of their keys next to nothing. The identity map keeps
/// the groups used last and drops them when the last of its models has gone.
final class FaultBatch {
  private let rows: Rows
  /// What was read ahead for the group, by relationship.
  var ahead: [ObjectIdentifier: RowCache] = [:]
  /// How often each relationship was read for several models of the group.
  private var readings: [ObjectIdentifier: Int] = [:]

  enum Rows {
    case runs([RowRuns.Run], IdentifierToken)
    case list([PersistentIdentifier])
  }

  init(_ rows: Rows) { self.rows = rows }

  /// How much to read for one relationship at a time; nil when its lists are too long for that.
  func portion(of relation: Relation) -> Portion? {
    switch readings[ObjectIdentifier(relation)] ?? 0 {
    case ..<0: nil
    // The program may use only one model.
    case 0: Portion(models: 128, rows: 2_000)
    default: Portion(models: 1_024, rows: 16_000)
    }
  }

  struct Portion {
    var models: Int
    /// After so many members no further list is read.
    var rows: Int
  }

  func note(_ relation: Relation, isWorthIt: Bool) {
    readings[ObjectIdentifier(relation), default: 0] += isWorthIt ? 1 : -1_000_000
  }

  func contains(_ identifier: PersistentIdentifier) -> Bool {
    switch rows {
    case .runs(let runs, let token):
      guard let row = identifier.row, identifier.token == token else { return false }
      return runs.contains { $0.contains(row) }
    case .list(let list): return list.contains(identifier)
    }
  }

  /// The identifiers after one of the group, then those before it, nearest first.
  ///
  /// - Parameters:
  ///   - reach: how far to go in each direction.
  ///   - body: returns false when it has seen enough.
  func visitNeighbours(
    of identifier: PersistentIdentifier, reach: Int, _ body: (PersistentIdentifier) -> Bool
  ) {
    switch rows {
    case .list(let list):
      guard let own = list.firstIndex(of: identifier) else { return }
      for neighbour in list[(own + 1)...].prefix(reach) where !body(neighbour) { return }
      for neighbour in list[..<own].suffix(reach).reversed() where !body(neighbour) { return }
    case .runs(let runs, let token):
      guard let row = identifier.row, let own = runs.firstIndex(where: { $0.contains(row) }) else {
        return
      }
      func visit(_ keys: some Sequence<Int64>, _ left: inout Int) -> Bool {
        for key in keys.prefix(left) {
          guard body(PersistentIdentifier(token: token, row: key)) else { return false }
          left -= 1
        }
        return true
      }
      var left = reach
      guard visit(runs[own].keys.suffix(from: row + 1), &left) else { return }
      for run in runs[(own + 1)...] where left > 0 {
        guard visit(run.keys, &left) else { return }
      }
      left = reach
      guard visit(runs[own].keys.prefix(upTo: row).reversed(), &left) else { return }
      for run in runs[..<own].reversed() where left > 0 {
        guard visit(run.keys.reversed(), &left) else { return }
      }
    }
  }
}
