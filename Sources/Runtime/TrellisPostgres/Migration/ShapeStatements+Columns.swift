import Trellis

/// Columns of tables that exist in both versions.
extension ShapeStatements {
  /// True if an old column is kept. Its values are kept as well unless all rows are rewritten.
  func isKept(_ column: String, of table: ShapeChange.Table) -> Bool {
    guard let new = table.kept.first(where: { $1 == column })?.key else { return false }
    return isSameForm(new, of: table)
  }

  /// True if a column stores its values in the same form as the old column.
  private func isSameForm(_ column: String, of table: ShapeChange.Table) -> Bool {
    guard let old = table.old, let own = table.new, let former = table.kept[column] else { return false }
    return self.old.type(of: former, in: old.name) == new.type(of: column, in: own.name)
      && self.old.isNormalized(former, in: old.name) == new.isNormalized(column, in: own.name)
  }

  private var exact: SQLFragment { "\(name: PostgresLayout.exactColumn)" }

  private func keepsExactColumn(_ table: Continued) -> Bool {
    old.hasExactColumn(table.old.name) && new.hasExactColumn(table.new.name)
  }

  /// The old column's name until it is dropped, because a different property may reuse the original name.
  private func droppedName(_ column: ColumnDefinition, of table: Continued) -> String {
    table.new.column(named: column.name) == nil ? column.name : "trellis_dropped_\(column.name)"
  }

  mutating func renameColumns(of table: Continued) {
    var names: [(from: String, to: String)] = []
    for column in table.new.columns {
      guard let former = table.change.kept[column.name], former != column.name,
        isSameForm(column.name, of: table.change)
      else { continue }
      exclusions.append("'\(table.new.name).\(former)' is now called '\(column.name)'")
      names.append((former, column.name))
    }
    for column in table.old.columns where !isKept(column.name, of: table.change) {
      let name = droppedName(column, of: table)
      guard name != column.name else { continue }
      exclusions.append("the column '\(table.old.name).\(column.name)' now belongs to a different property")
      names.append((column.name, name))
    }
    let hasTexts = keepsExactColumn(table) && names.contains { old.isNormalized($0.from, in: table.old.name) }
    for (from, to) in Rename.ordered(names) {
      contract("\(table.alter) RENAME COLUMN \(name: from) TO \(name: to)")
      guard hasTexts else { continue }
      let text: SQLFragment = "\(exact)::jsonb->\(literal: from)"
      contract(
        """
        UPDATE \(name(table.new.name)) SET \(exact) = ((\(exact)::jsonb - \(literal: from)) ||
        jsonb_build_object(\(literal: to), \(text)))::\(dialect.exactType.sql) WHERE \(text) IS NOT NULL
        """, changesRows: true)
    }
  }

  mutating func addColumns(to table: Continued) {
    if new.hasExactColumn(table.new.name), !old.hasExactColumn(table.old.name) {
      expand("\(table.alter) ADD COLUMN \(exact) \(dialect.exactType.sql)")
    }
    for column in table.new.columns {
      let title = "'\(table.new.name).\(column.name)'"
      guard let before = table.change.kept[column.name].flatMap({ table.old.column(named: $0) }) else {
        add(column, to: table)
        continue
      }
      guard isSameForm(column.name, of: table.change) else {
        obstacles.append("\(title) stores its values in a different form")
        add(column, to: table)
        continue
      }
      if let preset = preset(of: column, table) {
        exclusions.append("\(title) is now required")
        let isNull: SQLFragment = "\(name: column.name) IS NULL"
        set(column, to: preset.value, where: preset.rows.map { "\(isNull) AND \($0)" } ?? isNull, table)
      }
      if before.isRequired != column.isRequired {
        exclusions.append("\(title) is now \(column.isRequired ? "required" : "optional")")
        contract(
          "\(table.alter) ALTER COLUMN \(name: column.name) \(column.isRequired ? "SET NOT NULL" : "DROP NOT NULL")")
      } else if isRequired(before.name, of: table.old), !column.isRequired,
        !change.new.isRequiredInPart(column.name, in: table.new.name)
      {
        // A subclass column is nullable in both versions.
        exclusions.append("\(title) is now optional")
      }
    }
  }

  /// A column's value for existing rows; `nil` if missing or not a constant.
  private mutating func preset(
    of column: ColumnDefinition, _ table: Continued
  ) -> (value: SQLFragment, rows: SQLFragment?)? {
    guard let preset = table.change.presets.first(where: { $0.column == column.name }) else { return nil }
    guard let value = new.type(of: column.name, in: table.new.name).literal(of: preset.value) else {
      obstacles.append("the value of '\(table.new.name).\(column.name)' for existing rows is not an SQL constant")
      return nil
    }
    return (value, preset.rows)
  }

  private mutating func set(
    _ column: ColumnDefinition, to value: SQLFragment, where condition: SQLFragment, _ table: Continued
  ) {
    contract(
      "UPDATE \(name(table.new.name)) SET \(name: column.name) = \(value) WHERE \(condition)", changesRows: true)
  }

  private mutating func add(_ column: ColumnDefinition, to table: Continued) {
    let addition: SQLFragment =
      "\(table.alter) ADD COLUMN \(new.definition(column, in: table.new.name, dialect))"
    guard let preset = preset(of: column, table) else { return expand(addition) }
    if let rows = preset.rows {
      expand(addition)
      // Rows have their old class names until all columns are added.
      exclusions.append("only some rows get a value for '\(table.new.name).\(column.name)'")
      set(column, to: preset.value, where: rows, table)
    } else {
      // Older app versions insert rows that have no value for the column.
      expand("\(addition) DEFAULT \(preset.value)")
      contract("\(table.alter) ALTER COLUMN \(name: column.name) DROP DEFAULT", isCosmetic: true)
    }
  }

  mutating func renameClasses(of table: Continued) {
    let renamed = table.change.renamedClasses
    guard let first = renamed.first else { return }
    exclusions.append("the class '\(first.from)' is now called '\(first.to)'")
    let column: SQLFragment = "\(name: first.column)"
    let cases = renamed.map { "WHEN \(literal: $0.from) THEN \(literal: $0.to)" as SQLFragment }
    contract(
      """
      UPDATE \(name(table.new.name)) SET \(column) = CASE \(column) \(cases.joined(separator: " ")) END
      WHERE \(column) IN (\(literals: renamed.map(\.from)))
      """, changesRows: true)
  }

  /// Drops columns that the new version lacks or stores in a different form.
  mutating func dropColumns(of table: Continued) {
    let dropped = table.old.columns.filter { !isKept($0.name, of: table.change) }
    let texts = dropped.filter { old.isNormalized($0.name, in: table.old.name) }
    if keepsExactColumn(table), !texts.isEmpty {
      let keys = texts.map { "\(literal: droppedName($0, of: table))" as SQLFragment }.joined(separator: ", ")
      contract(
        """
        UPDATE \(name(table.new.name)) SET \(exact) =
        NULLIF(\(exact)::jsonb - ARRAY[\(keys)], '{}'::jsonb)::\(dialect.exactType.sql) WHERE \(exact) IS NOT NULL
        """, changesRows: true)
    }
    for column in dropped {
      if droppedName(column, of: table) == column.name { relax(column, of: table) }
      contract("\(table.alter) DROP COLUMN \(name: droppedName(column, of: table))")
    }
    if old.hasExactColumn(table.old.name), !new.hasExactColumn(table.new.name) {
      contract("\(table.alter) DROP COLUMN \(exact)")
    }
  }

  /// Allows the new app version to insert rows that omit a column which is dropped later.
  private mutating func relax(_ column: ColumnDefinition, of table: Continued) {
    guard isRequired(column.name, of: table.old) else { return }
    let preset = change.old.preset(of: column.name, in: table.old.name)
    guard let value = preset.flatMap(old.type(of: column.name, in: table.old.name).literal) else {
      return exclusions.append(
        "'\(table.old.name).\(column.name)' is required and has no default value, so the new app version cannot write "
          + "rows that the older version can read")
    }
    expand("\(table.alter) ALTER COLUMN \(name: column.name) SET DEFAULT \(value)", isWhole: false)
  }
}

extension PostgresType {
  /// A value in SQLite's form as a constant of this type.
  ///
  /// `nil` for NULL, for text that needs ``PostgresLayout/exactColumn``, and for text that PostgreSQL cannot store.
  fileprivate func literal(of value: SQLValue) -> SQLFragment? {
    if case .text(let text) = value,
      text.utf8.contains(0) || !text.utf8.elementsEqual(TextRules.normalized(text).utf8)
    {
      return nil
    }
    return PostgresText.text(of: stored(value)).map { "\(literal: $0)::\(sql)" }
  }
}
