/// The statements that delete rows of an entity, besides the actions of foreign keys. Parameter 1 is a list of keys.
package struct DeletionPlan: Sendable {
  /// Clear references without a foreign key: those whose other end has the rule `.noAction`.
  ///
  /// Such a reference reads as nil. The column must be nil too, so that a predicate finds the same. A required
  /// reference cannot be cleared and stays as it is.
  package let forgetting: [SQLFragment]
  /// Takes rows out of chains of cascades, which SQLite follows for a thousand rows only; nil if there are none.
  let unchaining: SQLFragment?
  package let deletion: SQLFragment

  /// The number of deletions from which on a chain may be too long.
  static let longestChain = 500

  package init(_ entity: EntityLayout, _ references: References, _ dialect: any SQLDialect) {
    func isListed(_ column: String) -> SQLFragment { dialect.isKey("\(name: column)", in: "?1") }
    deletion = "DELETE FROM \(name: entity.table) WHERE \(isListed(entity.keyColumn))"
    let unwatched = references.unwatched[entity.rootName] ?? []
    forgetting = unwatched.map { other in
      """
      UPDATE \(name: other.table) SET \(name: other.column) = NULL
      WHERE \(isListed(other.column))
      """
    }
    let columns = references.tables[entity.table]?.columns.filter { column in
      guard let reference = column.reference, reference.onDelete == .cascade else { return false }
      return references.cascades.share(entity.table, reference.table)
    }
    guard let columns, !columns.isEmpty else {
      unchaining = nil
      return
    }
    // A key that no row has. The rows themselves are gone before foreign keys are checked.
    let all = columns.map { "\(name: $0.name) = -\(name: entity.keyColumn)" as SQLFragment }
    unchaining = """
      UPDATE \(name: entity.table) SET \(all.joined(separator: ", "))
      WHERE \(isListed(entity.keyColumn))
      """
  }
}

extension DeletionPlan {
  /// The references between the tables of a store, looked through once for all entities.
  package final class References: Sendable {
    let tables: [String: TableDefinition]
    /// The tables whose cascading foreign keys lead back to themselves, by way of others.
    let cascades: CyclicGroups
    /// By root entity: the optional references to it that no foreign key watches over.
    let unwatched: [String: [Column]]

    struct Column: Equatable, Sendable {
      var table: String
      var column: String
    }

    init(_ catalogue: StoreCatalogue) {
      tables = Dictionary(
        catalogue.tables.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
      cascades = CyclicGroups(
        tables.mapValues { table in
          Set(table.columns.compactMap { $0.reference?.onDelete == .cascade ? $0.reference?.table : nil })
        })
      var unwatched: [String: [Column]] = [:]
      for entity in catalogue.layout.entities {
        for column in entity.columns {
          guard let destination = column.destination, column.property.isOptional,
            let root = catalogue.layout.entity(named: destination)?.rootName,
            let definition = tables[entity.table]?.column(named: column.name),
            definition.reference == nil
          else { continue }
          let place = Column(table: entity.table, column: column.name)
          if !unwatched[root, default: []].contains(place) { unwatched[root, default: []].append(place) }
        }
      }
      self.unwatched = unwatched
    }
  }
}
