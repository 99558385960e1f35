/// Statements that delete an entity's rows; foreign key actions do the rest. Parameter 1 is a list of keys.
package struct DeletionPlan: Sendable {
  /// Clears references that have no foreign key because the inverse's delete rule is `.noAction`.
  ///
  /// After the deletion, models read such a reference as `nil`. Predicates must agree, so the column is set to NULL. A
  /// required reference cannot be cleared and remains unchanged.
  package let forgetting: [SQLFragment]
  /// Removes rows from cascade chains, which SQLite follows for only a thousand rows; `nil` if the table has no
  /// chains.
  let unchaining: SQLFragment?
  package let deletion: SQLFragment

  /// The deletion count from which a cascade chain may become too long.
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
    // A negated key matches no row. The rows are deleted before SQLite checks foreign keys.
    let all = columns.map { "\(name: $0.name) = -\(name: entity.keyColumn)" as SQLFragment }
    unchaining = """
      UPDATE \(name: entity.table) SET \(all.joined(separator: ", "))
      WHERE \(isListed(entity.keyColumn))
      """
  }
}

extension DeletionPlan {
  /// References between a store's tables, computed once for all entities.
  package final class References: Sendable {
    let tables: [String: TableDefinition]
    /// Tables connected in a cycle of cascading foreign keys.
    let cascades: CyclicGroups
    /// Optional references that have no foreign key, by the destination's root entity.
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
