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
}

/// The statements that create the tables.
extension PostgresLayout {
  /// Creates all tables, their indexes and their sequences.
  ///
  /// - Parameter hasForeignKeys: true to let the database check references and apply delete rules.
  func definitions(hasForeignKeys: Bool, _ dialect: PostgresDialect) -> [SQLFragment] {
    tables.map { creation($0, dialect) }
      + tables.filter { $0.key.isEmpty }.map { Self.sequence($0.name) }
      + tables.flatMap { table in table.indexes.map { $0.creation(on: table.name) } }
      + (hasForeignKeys ? tables.flatMap(foreignKeys) : [])
  }

  func creation(_ table: TableDefinition, _ dialect: PostgresDialect) -> SQLFragment {
    var lines = table.columns.map { column in
      let type = type(of: column.name, in: table.name)
      return column.definition(type == .text ? "\(type.sql)\(dialect.byteOrder)" : type.sql)
    }
    if hasExactColumn(table.name) { lines.append("\(name: Self.exactColumn) \(dialect.exactType)") }
    if !table.key.isEmpty { lines.append("PRIMARY KEY (\(names: table.key))") }
    return "CREATE TABLE \(name: table.name) (\n  \(lines.joined(separator: ",\n  "))\n)"
  }

  /// The constraints are named by us, so that a migration finds them.
  func foreignKeys(of table: TableDefinition) -> [SQLFragment] {
    table.columns.compactMap { column in
      column.reference.map { reference in
        """
        ALTER TABLE \(name: table.name) ADD CONSTRAINT \(name: Self.constraint(column.name, of: table.name))
        FOREIGN KEY (\(name: column.name)) \(reference.definition)
        """
      }
    }
  }

  static func constraint(_ column: String, of table: String) -> String {
    "\(table.split(separator: PostgresName.separator).last ?? "")_\(column)_reference"
  }

  /// The sequence of the keys of a table, which gives a thousand of them at once.
  static func sequence(_ table: String) -> SQLFragment {
    "CREATE SEQUENCE \(name: keySequence(of: table)) INCREMENT \(number: keysPerBlock)"
  }

  static func keySequence(of table: String) -> String { "\(table)_keys" }

  /// The keys that one value of a sequence stands for.
  static let keysPerBlock = 1_000
}
