package import Foundation
import SchemaModel
package import Trellis

/// Builds the queries that fill a store from a draft's database.
package struct DraftPlan {
  private let draft: SchemaDraft
  private let target: TransferTarget
  private var preparations: [SQLFragment] = []

  /// - Parameter source: The database file that the draft describes.
  package static func plan(_ draft: SchemaDraft, into target: TransferTarget, from source: URL) throws -> CopyPlan {
    var plan = DraftPlan(draft: draft, target: target)
    var tables: [TableCopy] = []
    for table in draft.models.map(\.table) + draft.joins.map(\.table) { plan.numberRows(of: table) }
    for model in draft.models {
      plan.pairRows(model)
      tables.append(try plan.copy(model))
    }
    for join in draft.joins { tables.append(try plan.copy(join)) }
    return CopyPlan(source: source, preparations: plan.preparations, tables: tables)
  }

  private init(draft: SchemaDraft, target: TransferTarget) {
    self.draft = draft
    self.target = target
  }

  // MARK: rows and their numbers

  private static let rowAlias = "s"
  private static let keyAlias = "k"

  private func keyTable(_ table: ForeignTable) -> String {
    "keys_\(draft.database.tables.firstIndex { $0.name == table.name } ?? 0)"
  }

  /// Numbers the rows in key order, for a table that has no row numbers.
  private mutating func numberRows(of table: ForeignTable) {
    guard table.numbering == .none else { return }
    let name = keyTable(table)
    let keys = table.primaryKey.indices.map { "k\($0)" }
    let columns = zip(keys, table.primaryKey).map { "\(name: $1) AS \(name: $0)" as SQLFragment }
    // The new columns keep the key affinities, so that comparisons in both directions can use an index.
    preparations += [
      """
      CREATE TEMP TABLE \(name: name) AS SELECT row_number() OVER (ORDER BY \(names: table.primaryKey)) AS "n",
      \(columns.joined(separator: ", ")) FROM \(source(table)) ORDER BY 1
      """,
      "CREATE UNIQUE INDEX temp.\(name: name + "_number") ON \(name: name) (\(name: "n"))",
      "CREATE INDEX temp.\(name: name + "_index") ON \(name: name) (\(names: keys))",
    ]
  }

  private func source(_ table: ForeignTable) -> SQLFragment { "\(name: CopyPlan.schema).\(name: table.name)" }

  /// Returns a table for a scan, joined to the row numbers if they are in a separate table.
  private func rows(_ table: ForeignTable, _ alias: String, _ keys: String) -> SQLFragment {
    guard table.numbering == .none else { return "\(source(table)) AS \(name: alias)" }
    return """
      temp.\(name: keyTable(table)) AS \(name: keys) CROSS JOIN \(source(table)) AS \(name: alias)
      ON \(keyCondition(table, alias, keys))
      """
  }

  /// Returns a table for a search by column, joined to the row numbers if they are in a separate table.
  private func searched(_ table: ForeignTable, _ alias: String, _ keys: String) -> SQLFragment {
    guard table.numbering == .none else { return "\(source(table)) AS \(name: alias)" }
    return """
      \(source(table)) AS \(name: alias) CROSS JOIN temp.\(name: keyTable(table)) AS \(name: keys)
      ON \(keyCondition(table, alias, keys))
      """
  }

  /// Compares twice: with the key's collation, which can use the index, and exactly.
  private func keyCondition(_ table: ForeignTable, _ alias: String, _ keys: String) -> SQLFragment {
    table.primaryKey.enumerated()
      .map { index, name -> SQLFragment in
        let (own, copy): (SQLFragment, SQLFragment) =
          ("\(column: name, of: alias)", "\(column: "k\(index)", of: keys)")
        return "\(own) = \(copy) AND \(copy) = \(own)"
      }.joined(separator: " AND ")
  }

  private func number(_ table: ForeignTable, _ alias: String, _ keys: String) -> SQLFragment {
    switch table.numbering {
    case .column(let name), .hidden(let name): "\(column: name, of: alias)"
    case .none: "\(column: "n", of: keys)"
    }
  }

  // MARK: models

  private func copy(_ model: DraftModel) throws -> TableCopy {
    guard let entity = target.entity(named: model.name) else { throw Self.missing(model.name) }
    let table = model.table
    let number = number(table, Self.rowAlias, Self.keyAlias)
    let key = if case .column(let name) = table.numbering { name } else { "row number" }
    var columns = [ColumnCopy(name: entity.keyColumn, origin: key, expression: number, form: .key, isRequired: true)]
    for property in model.properties {
      guard let (expression, origin) = try expression(property, of: table) else { continue }
      guard var column = target.column(property.name, of: model.name, from: origin, expression) else {
        throw Self.missing("\(model.name).\(property.name)")
      }
      if case .inverse = property.kind { column.isDerived = true }
      if case .attribute("Date", _, _) = property.kind { column.noun = "a date" }
      columns.append(column)
    }
    return TableCopy(
      entity: model.name, origin: table.name, table: entity.table, columns: columns,
      rows: rows(table, Self.rowAlias, Self.keyAlias), number: number, values: values(table),
      expectedCount: table.rowCount)
  }

  private func values(_ table: ForeignTable) -> [(name: String, expression: SQLFragment)] {
    table.columns.map { ($0.name, "\(column: $0.name, of: Self.rowAlias)") }
  }

  /// Returns a property's value and source column name; `nil` for a list.
  private func expression(
    _ property: DraftProperty, of table: ForeignTable
  ) throws -> (SQLFragment, origin: String)? {
    switch property.kind {
    case .attribute:
      guard let column = property.columns.first.flatMap({ table.column(named: $0) }) else {
        throw Self.missing(property.name)
      }
      return (Self.expression(column, of: Self.rowAlias), column.name)
    case .reference(let key): return (reference(key, of: table), key.columns.joined(separator: ", "))
    case .inverse(_, _, isList: true, _), .members: return nil
    case .inverse(let key, let child, _, _):
      guard let child = draft.database.table(named: child) else { return nil }
      let number = number(table, Self.rowAlias, Self.keyAlias)
      return (
        "(SELECT \(name: "c") FROM temp.\(name: pairTable(key, of: child)) WHERE \(name: "p") = \(number))",
        property.name
      )
    }
  }

  private func pairTable(_ key: ForeignKey, of child: ForeignTable) -> String {
    "pairs_\(keyTable(child))_\(child.foreignKeys.firstIndex(of: key) ?? 0)"
  }

  /// Creates a table of one-to-one pairs, so that both sides follow from the same comparison.
  private mutating func pairRows(_ model: DraftModel) {
    for case .inverse(let key, let name, isList: false, _) in model.properties.map(\.kind) {
      guard let child = draft.database.table(named: name) else { continue }
      let pairs = pairTable(key, of: child)
      preparations += [
        "CREATE TEMP TABLE \(name: pairs) (\(name: "p") INTEGER PRIMARY KEY, \(name: "c") INTEGER)",
        """
        INSERT OR IGNORE INTO temp.\(name: pairs) SELECT * FROM (SELECT \(reference(key, of: child)) AS "p",
        \(number(child, Self.rowAlias, Self.keyAlias)) AS "c" FROM \(rows(child, Self.rowAlias, Self.keyAlias)))
        WHERE typeof("p") = 'integer' ORDER BY "c"
        """,
      ]
    }
  }

  /// Returns the row number that a foreign key refers to. A dangling value becomes text, which the row check rejects.
  ///
  /// As in SQLite, the referenced column's affinity and collation apply: a unary plus removes the value's affinity, and
  /// the left operand's collation has precedence.
  private func reference(_ key: ForeignKey, of table: ForeignTable) -> SQLFragment {
    let own = key.columns.map { "\(column: $0, of: Self.rowAlias)" as SQLFragment }
    guard let parent = draft.database.table(named: key.table) else { return own[0] }
    let values = table.column(named: key.columns[0])?.values ?? ValueCounts()
    if case .column(let name) = parent.numbering, key.targets == [name],
      values.total == values.integers + values.nulls
    {
      return own[0]
    }
    let isMissing = own.map { "\($0) IS NULL" as SQLFragment }.joined(separator: " OR ")
    let conditions = zip(key.targets, own).map { "\(column: $0, of: "p") = +\($1)" as SQLFragment }
    return """
      CASE WHEN \(isMissing) THEN NULL ELSE coalesce((SELECT \(number(parent, "p", "pk"))
      FROM \(searched(parent, "p", "pk")) \(parent.numbering == .none ? "AND" : "WHERE" as SQLFragment)
      \(conditions.joined(separator: " AND ")) LIMIT 1), 'missing') END
      """
  }

  // MARK: join tables

  private func copy(_ join: DraftJoin) throws -> TableCopy {
    let list = target.entity(named: join.ownerModel)?.lists.first { $0.property.name == join.ownerList }
    guard case .join(let table, let owner, let member, _)? = list?.kind else {
      throw Self.missing("\(join.ownerModel).\(join.ownerList)")
    }
    let columns = [(owner, join.owner), (member, join.member)].map { name, key in
      ColumnCopy(
        name: name, origin: key.columns.joined(separator: ", "), expression: reference(key, of: join.table), form: .key,
        isRequired: true)
    }
    return TableCopy(
      entity: "\(join.ownerModel).\(join.ownerList)", origin: join.table.name, table: table, columns: columns,
      rows: rows(join.table, Self.rowAlias, Self.keyAlias),
      number: number(join.table, Self.rowAlias, Self.keyAlias), values: values(join.table),
      expectedCount: join.table.rowCount)
  }

  private static func missing(_ name: String) -> TransferError {
    TransferError("the schema of this import has no '\(name)', which is a fault of the import")
  }
}

extension DraftPlan {
  /// Returns a column's values in stored form. Values that cannot be converted remain unchanged.
  package static func expression(_ column: ForeignColumn, of alias: String) -> SQLFragment {
    let value: SQLFragment = "\(column: column.name, of: alias)"
    switch column.type {
    case .integer, .boolean, .text, .data, .choice, .choiceOfIntegers, .exact, .list: return value
    case .real:
      // SQLite does not convert virtual column values, so an index may contain reals as integers.
      if column.isGenerated {
        return "CASE WHEN typeof(\(value)) IN ('integer', 'real') THEN CAST(\(value) AS REAL) ELSE \(value) END"
      }
      guard column.values.integers > 0 else { return value }
      // Large integers that a real cannot represent are rejected.
      return """
        CASE WHEN typeof(\(value)) = 'integer' AND \(value) < 9223372036854775807
        AND CAST(CAST(\(value) AS REAL) AS INTEGER) = \(value) THEN CAST(\(value) AS REAL) ELSE \(value) END
        """
    case .decimal: return "\(SQLFragment(stringLiteral: TransferFunctions.decimal))(\(value))"
    case .uuid: return "\(SQLFragment(stringLiteral: TransferFunctions.uuid))(\(value))"
    case .date(let form): return date(form, value)
    }
  }

  /// Returns a date as seconds since 2001.
  package static func date(_ form: DateForm, _ value: SQLFragment) -> SQLFragment {
    let seconds: SQLFragment =
      switch form {
      case .iso: "\(SQLFragment(stringLiteral: TransferFunctions.isoDate))(\(value))"
      case .unix: "\(value) - 978307200.0"
      case .milliseconds: "(\(value) - 978307200000) / 1000.0"
      case .julian: "(\(value) - 2451910.5) * 86400.0"
      case .since2001: "CAST(\(value) AS REAL)"
      }
    guard form != .iso else { return seconds }
    return "CASE WHEN typeof(\(value)) IN ('integer', 'real') THEN \(seconds) ELSE \(value) END"
  }
}
