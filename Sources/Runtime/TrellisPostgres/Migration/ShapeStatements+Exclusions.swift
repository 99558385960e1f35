import Trellis

/// Reasons why programs of both versions cannot use the tables at the same time, although statements change them.
extension ShapeStatements {
  /// A program cannot read a row whose class it does not know.
  mutating func excludeNewClasses() {
    for table in continued {
      guard let old = table.old, let own = table.new else { continue }
      let renamed = Set(table.renamedClasses.map(\.to))
      for entity in change.new.layout.entities where entity.table == own.name && !entity.discriminators.isEmpty {
        // A table of one class has no column with the class, and programs read all of its rows as that class.
        guard let column = table.kept[entity.entityColumn], old.column(named: column) != nil,
          change.old.schema.entitiesByName[entity.name] == nil, !renamed.contains(entity.name)
        else { continue }
        exclusions.append("the class '\(entity.name)' is new in the table '\(own.name)'")
      }
    }
  }

  /// True if rows must have a value in an old column, or rows of one of its classes.
  func isRequired(_ column: String, of old: TableDefinition) -> Bool {
    old.column(named: column)?.isRequired == true || change.old.isRequiredInPart(column, in: old.name)
  }

  /// The tables, columns and indexes that only the older version has.
  var removed: Set<String> {
    names(change.tables.compactMap(\.old)).subtracting(names(change.tables.compactMap(\.new)))
  }

  /// The tables, columns and indexes that only the newer version has.
  var added: Set<String> { names(change.tables.compactMap(\.new)).subtracting(names(change.tables.compactMap(\.old))) }

  private func names(_ tables: [TableDefinition]) -> Set<String> {
    Set(
      tables.flatMap { table in
        [table.name] + table.columns.map { "\(table.name).\($0.name)" } + table.indexes.map(\.name)
      })
  }
}
