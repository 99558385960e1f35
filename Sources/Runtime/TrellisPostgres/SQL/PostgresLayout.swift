import Trellis

/// The types of the columns of a store, and which tables have texts.
struct PostgresLayout: Sendable {
  /// The column with the original texts of a row whose columns have them in Normalization Form C: an object with the
  /// text of each such column. NULL in most rows.
  static let exactColumn = "$exact"

  /// By table and column.
  private var types: [String: [String: PostgresType]] = [:]
  /// By table: the columns whose texts are compared.
  private var normalized: [String: Set<String>] = [:]
  let tables: [TableDefinition]

  init(_ catalogue: StoreCatalogue, _ dialect: PostgresDialect) {
    tables = catalogue.tables
    for entity in catalogue.layout.entities {
      var types = self.types[entity.table] ?? [:]
      types[entity.keyColumn] = .bigint
      if !entity.discriminators.isEmpty { types[entity.entityColumn] = .text }
      for column in entity.columns {
        types[column.name] = PostgresType(column)
        if column.members.isEmpty, column.type.comparison == .text {
          normalized[entity.table, default: []].insert(column.name)
        }
        for (member, flattened) in zip(column.members, column.property.flattenedMembers) {
          types[member.name] = PostgresType(member.type, ScalarKind.of(flattened.type))
          if member.type.comparison == .text { normalized[entity.table, default: []].insert(member.name) }
        }
      }
      self.types[entity.table] = types
    }
    for table in catalogue.tables {
      // JSON has no equality, which indexes need.
      for index in table.indexes {
        for column in index.columns where types[table.name]?[column] == .json {
          types[table.name]?[column] = .text
        }
      }
    }
    types = types.mapValues { $0.mapValues { $0 == .json ? dialect.jsonType : $0 } }
  }

  /// The type of a column; that of keys and positions for columns that no property has.
  func type(of column: String, in table: String) -> PostgresType { types[table]?[column] ?? .bigint }

  /// True if a column has its texts in Normalization Form C.
  func isNormalized(_ column: String, in table: String) -> Bool { normalized[table]?.contains(column) ?? false }

  /// True if a table has ``exactColumn``.
  func hasExactColumn(_ table: String) -> Bool { normalized[table] != nil }

  /// Flags of the columns that may have NaN: every column with such numbers.
  var flags: ColumnFlags {
    ColumnFlags(
      Set(
        types.flatMap { table, columns in
          columns.filter { $1 == .double || $1 == .real }.map { column, _ in
            ColumnFlags.Mark(kind: .nan, table: table, column: column)
          }
        }))
  }
}

/// Parts of statements that depend on the types of columns.
extension PostgresLayout {
  /// The value of a column as a tombstone has it. A text is the original one.
  func preserved(_ column: String, in table: String, _ dialect: PostgresDialect) -> SQLFragment {
    dialect.preserved(
      "\(name: column)", type(of: column, in: table),
      exactText: isNormalized(column, in: table) ? "\(name: Self.exactColumn)::jsonb->>\(literal: column)" : nil)
  }

  /// Clears the optional references to deleted rows of a root entity that no foreign key of the database clears.
  /// Parameter 1 is a list of keys.
  func clearing(_ root: String, _ catalogue: StoreCatalogue, _ dialect: PostgresDialect) -> [SQLFragment] {
    var found: [SQLFragment] = []
    for entity in catalogue.layout.entities {
      for column in entity.columns where column.property.isOptional {
        guard let destination = column.destination,
          catalogue.layout.entity(named: destination)?.rootName == root,
          let definition = tables.first(where: { $0.name == entity.table })?.column(named: column.name),
          definition.reference == nil
        else { continue }
        let fragment: SQLFragment = """
          UPDATE \(name: entity.table) SET \(name: column.name) = NULL
          WHERE \(dialect.isKey("\(name: column.name)", in: "?1"))
          """
        if !found.contains(fragment) { found.append(fragment) }
      }
    }
    return found
  }
}
