/// What a store does around the deletion of a row, beside what its foreign keys do.
struct DeletionPlan: Sendable {
  /// Statements that clear references no foreign key watches over: those whose other end has the
  /// rule `.noAction`. Parameter 1 is the key of the deleted row.
  ///
  /// Such a reference reads as nil; so must the column, for a predicate to mean the same everywhere.
  /// A required reference cannot be cleared and stays as it is.
  let forgetting: [SQLFragment]
  /// The same for many rows: parameter 1 is a list of keys.
  let forgettingAll: [SQLFragment]
  /// Takes rows out of chains of cascades, which SQLite follows for a thousand rows and no more; nil
  /// where there are none. Parameter 1 is a list of keys.
  let unchainingAll: SQLFragment?
  /// Deletes many rows: parameter 1 is a list of keys.
  let deletionOfAll: SQLFragment

  /// The number of deletions from which on a chain may be too long.
  static let longestChain = 500

  init(_ entity: EntityLayout, in catalogue: StoreCatalogue, chained: Set<Edge>) {
    let isListed: SQLFragment = "IN (SELECT \"value\" FROM json_each(?1))"
    deletionOfAll = """
      DELETE FROM \(name: entity.table) WHERE \(name: entity.keyColumn) \(isListed)
      """
    var seen = Set<String>()
    var forgetting: [SQLFragment] = []
    var forgettingAll: [SQLFragment] = []
    for other in catalogue.layout.entities {
      for column in other.columns where column.property.isOptional {
        guard let destination = column.destination,
          catalogue.layout.entity(named: destination)?.rootName == entity.rootName,
          let definition = catalogue.tables.first(where: { $0.name == other.table })?
            .column(named: column.name),
          definition.reference == nil, seen.insert("\(other.table).\(column.name)").inserted
        else { continue }
        forgetting.append(
          """
          UPDATE \(name: other.table) SET \(name: column.name) = NULL
          WHERE \(name: column.name) = ?1
          """)
        forgettingAll.append(
          """
          UPDATE \(name: other.table) SET \(name: column.name) = NULL
          WHERE \(name: column.name) \(isListed)
          """)
      }
    }
    self.forgetting = forgetting
    self.forgettingAll = forgettingAll
    let columns = catalogue.tables.first { $0.name == entity.table }?.columns.filter { column in
      column.reference.map { reference in
        reference.onDelete == .cascade
          && chained.contains(Edge(from: entity.table, to: reference.table))
      } ?? false
    }
    guard let columns, !columns.isEmpty else {
      unchainingAll = nil
      return
    }
    // A key nobody has; the row itself is gone before foreign keys are checked.
    // A key nobody has; the rows themselves are gone before foreign keys are checked.
    let all = columns.map { "\(name: $0.name) = -\(name: entity.keyColumn)" as SQLFragment }
    unchainingAll = """
      UPDATE \(name: entity.table) SET \(all.joined(separator: ", "))
      WHERE \(name: entity.keyColumn) \(isListed)
      """
  }
}

extension DeletionPlan {
  /// A foreign key that cascades: from the table that has it to the one it refers to.
  struct Edge: Hashable {
    var from: String
    var to: String
  }

  /// The cascading foreign keys that lead back to the table they start from, by way of others.
  static func chainedEdges(_ tables: [TableDefinition]) -> Set<Edge> {
    var targets: [String: Set<String>] = [:]
    for table in tables {
      for column in table.columns {
        guard let reference = column.reference, reference.onDelete == .cascade else { continue }
        targets[table.name, default: []].insert(reference.table)
      }
    }
    var chained = Set<Edge>()
    for (from, tables) in targets {
      for to in tables where reaches(from, from: to, targets) {
        chained.insert(Edge(from: from, to: to))
      }
    }
    return chained
  }

  private static func reaches(
    _ goal: String, from start: String, _ targets: [String: Set<String>]
  ) -> Bool {
    var seen: Set<String> = [start]
    var queue = [start]
    while let table = queue.popLast() {
      if table == goal { return true }
      for next in targets[table] ?? [] where seen.insert(next).inserted { queue.append(next) }
    }
    return false
  }
}
