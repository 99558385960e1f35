import Trellis

/// A store's tables, column types and normalized text columns.
package struct PostgresLayout: Sendable {
  /// The column for a row's original strings: a JSON object with each string that was changed by Normalization Form C,
  /// by column name. NULL in most rows, which have no such string.
  package static let exactColumn = "$exact"

  /// The column types, by table and column.
  private var types: [String: [String: PostgresType]] = [:]
  /// The columns that store Normalization Form C, by table.
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
        for (member, flattened) in zip(column.members, column.property.flattenedMembers) {
          types[member.name] = PostgresType(member.type, ScalarKind.of(flattened.type))
        }
        let parts = column.members.isEmpty ? [(column.name, column.type)] : column.members.map { ($0.name, $0.type) }
        for (name, type) in parts where type.comparison == .text {
          normalized[entity.table, default: []].insert(name)
        }
      }
      self.types[entity.table] = types
    }
    for table in catalogue.tables {
      // Indexes require equality, which the type `json` does not support.
      for index in table.indexes {
        for column in index.columns where types[table.name]?[column] == .json {
          types[table.name]?[column] = .text
        }
      }
    }
    types = types.mapValues { $0.mapValues { $0 == .json ? dialect.jsonType : $0 } }
    for table in normalized.keys { types[table]?[Self.exactColumn] = dialect.exactType }
  }

  /// A column's type. Columns that belong to no property contain keys or positions.
  package func type(of column: String, in table: String) -> PostgresType { types[table]?[column] ?? .bigint }

  /// True if a column stores text in Normalization Form C.
  package func isNormalized(_ column: String, in table: String) -> Bool { normalized[table]?.contains(column) ?? false }

  /// True if a table has ``exactColumn``.
  func hasExactColumn(_ table: String) -> Bool { normalized[table] != nil }

  /// Flags for the columns that may contain NaN: all floating-point columns.
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

/// Parts of statements that depend on column types.
extension PostgresLayout {
  /// Returns SQL for a column's value in a tombstone: the type, which a later schema version may change, and the value
  /// as text.
  ///
  /// Bytes, and numbers whose text depends on a server setting, are written as `x` followed by hexadecimal bytes.
  func preserved(_ column: String, in table: String, _ dialect: PostgresDialect) -> SQLFragment {
    let (value, type): (SQLFragment, _) = ("\(name: column)", type(of: column, in: table))
    var form: SQLFragment = "\(value)::text"
    if isNormalized(column, in: table) {
      // Most rows have no original string.
      let exact: SQLFragment = "\(name: Self.exactColumn)::jsonb->>\(literal: column)"
      form = "CASE WHEN normalize(\(exact), NFC) = \(value) THEN \(exact) ELSE \(value) END"
    } else if type == .bytea {
      form = "'x' || encode(\(value), 'hex')"
    } else if type == .double || type == .real, dialect.engine.hasSendFunctions {
      form = "'x' || encode(float8send(\(value)), 'hex')"
    }
    return "\(literal: type.rawValue + " ") || \(form)"
  }
}

/// Statements that create the tables. Table names in the layout omit the database schema.
extension PostgresLayout {
  /// Returns the statements that create all tables, sequences, indexes and foreign keys.
  ///
  /// - Parameter hasForeignKeys: True to let the database check references and apply delete rules.
  func definitions(hasForeignKeys: Bool, _ schema: InternalTables, _ dialect: PostgresDialect) -> [SQLFragment] {
    tables.map { creation($0, schema, dialect) }
      + tables.filter { $0.key.isEmpty }.map { Self.sequence(schema.qualified($0.name)) }
      + tables.flatMap { table in table.indexes.map { $0.creation(on: schema.qualified(table.name)) } }
      + (hasForeignKeys
        ? tables.flatMap { table in table.columns.compactMap { foreignKey($0, of: table, schema) } } : [])
  }

  func creation(_ table: TableDefinition, _ schema: InternalTables, _ dialect: PostgresDialect) -> SQLFragment {
    var lines = table.columns.map { definition($0, in: table.name, dialect) }
    if hasExactColumn(table.name) { lines.append("\(name: Self.exactColumn) \(dialect.exactType.sql)") }
    if !table.key.isEmpty { lines.append("PRIMARY KEY (\(names: table.key))") }
    return "CREATE TABLE \(name: schema.qualified(table.name)) (\n  \(lines.joined(separator: ",\n  "))\n)"
  }

  /// A column definition in a CREATE TABLE or ALTER TABLE statement.
  func definition(_ column: ColumnDefinition, in table: String, _ dialect: PostgresDialect) -> SQLFragment {
    let type = type(of: column.name, in: table)
    return column.definition(type == .text ? "\(type.sql)\(dialect.byteOrder)" : type.sql)
  }

  /// Returns the statement that adds a column's foreign key; `nil` if the column has no reference. The constraint is
  /// named explicitly, so that a migration can find it.
  func foreignKey(_ column: ColumnDefinition, of table: TableDefinition, _ schema: InternalTables) -> SQLFragment? {
    guard var reference = column.reference else { return nil }
    reference.table = schema.qualified(reference.table)
    return """
      ALTER TABLE \(name: schema.qualified(table.name))
      ADD CONSTRAINT \(name: Self.constraint(column.name, of: table.name))
      FOREIGN KEY (\(name: column.name)) \(reference.definition)
      """
  }

  static func constraint(_ column: String, of table: String) -> String { "\(table)_\(column)_reference" }

  /// Returns the statement that creates a table's key sequence. Each sequence value reserves a thousand keys.
  static func sequence(_ table: String) -> SQLFragment {
    "CREATE SEQUENCE \(name: keySequence(of: table)) INCREMENT \(number: keysPerBlock)"
  }

  package static func keySequence(of table: String) -> String { "\(table)_keys" }

  /// The number of keys that each sequence value reserves.
  static let keysPerBlock = 1_000
}
