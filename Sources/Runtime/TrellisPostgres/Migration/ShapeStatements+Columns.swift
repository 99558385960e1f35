import Foundation
import Trellis

/// The columns of the tables that both versions have.
extension ShapeStatements {
  /// True if an old column stays, with its values unless the rows are written anew.
  func isKept(_ column: String, of table: ShapeChange.Table) -> Bool {
    guard let new = table.kept.first(where: { $1 == column })?.key else { return false }
    return isSameForm(new, of: table)
  }

  /// True if a column has its values in the form in which the old one has them.
  private func isSameForm(_ column: String, of table: ShapeChange.Table) -> Bool {
    guard let old = table.old, let own = table.new, let former = table.kept[column] else { return false }
    return self.old.type(of: former, in: old.name) == new.type(of: column, in: own.name)
      && self.old.isNormalized(former, in: old.name) == new.isNormalized(column, in: own.name)
  }

  mutating func renameColumns(of table: ShapeChange.Table) {
    guard let own = table.new else { return }
    let kept = own.columns.compactMap { column in
      table.kept[column.name].map { (from: $0, to: column.name) }
    }.filter { isSameForm($0.to, of: table) }
    var origins: [String: String] = [:]
    for (from, to) in Rename.ordered(kept) {
      let origin = origins[from] ?? from
      origins[to] = origin
      exclude(
        "ALTER TABLE \(name(own.name)) RENAME COLUMN \(name: from) TO \(name: to)",
        "'\(own.name).\(origin)' is called '\(to)' now")
    }
    guard let old = table.old, self.old.hasExactColumn(old.name), new.hasExactColumn(own.name), !isEmpty else { return }
    let texts = kept.filter { $0.from != $0.to && new.isNormalized($0.to, in: own.name) }
    guard !texts.isEmpty else { return }
    let keys = texts.map { "\(literal: $0.from), \(literal: $0.to)" as SQLFragment }.joined(separator: ", ")
    let exact: SQLFragment = "\(name: PostgresLayout.exactColumn)"
    exclude(
      """
      UPDATE \(name(own.name)) SET \(exact) = (SELECT jsonb_object_agg(COALESCE(n.v, e.key), e.value)
      FROM jsonb_each(\(exact)::jsonb) AS e LEFT JOIN (SELECT key AS k, value #>> '{}' AS v
      FROM jsonb_each(jsonb_build_object(\(keys)))) AS n ON n.k = e.key)::\(dialect.exactType)
      WHERE \(exact) IS NOT NULL
      """, "texts of '\(own.name)' are renamed")
  }

  mutating func addColumns(to table: ShapeChange.Table) throws {
    guard let old = table.old, let own = table.new else { return }
    if new.hasExactColumn(own.name), !self.old.hasExactColumn(old.name) {
      expand("ALTER TABLE \(name(own.name)) ADD COLUMN \(name: PostgresLayout.exactColumn) \(dialect.exactType)")
    }
    for column in own.columns {
      guard let former = table.kept[column.name] else {
        try add(column, to: table)
        continue
      }
      guard isSameForm(column.name, of: table) else {
        obstacles.append("'\(own.name).\(column.name)' has its values in another form")
        try add(column, to: table)
        continue
      }
      guard let before = old.column(named: former) else { continue }
      try fill(column, of: table)
      if before.isRequired == column.isRequired {
        // A column of a subclass can be NULL in both versions.
        if isRequired(former, of: old), !column.isRequired, !change.new.isRequiredInPart(column.name, in: own.name) {
          exclusions.append("'\(own.name).\(column.name)' is optional now")
        }
        continue
      }
      let change: SQLFragment = column.isRequired ? "SET NOT NULL" : "DROP NOT NULL"
      exclude(
        "ALTER TABLE \(name(own.name)) ALTER COLUMN \(name: column.name) \(change)",
        "'\(own.name).\(column.name)' is \(column.isRequired ? "required" : "optional") now")
    }
  }

  /// Gives the rows without a value the default value of a column that is required now.
  private mutating func fill(_ column: ColumnDefinition, of table: ShapeChange.Table) throws {
    guard let own = table.new, let preset = table.presets.first(where: { $0.column == column.name }), !isEmpty else {
      return
    }
    guard let value = try new.type(of: column.name, in: own.name).literal(of: preset.value) else {
      return obstacles.append(Self.isNoConstant(column, of: own))
    }
    var condition: SQLFragment = "\(name: column.name) IS NULL"
    if let rows = preset.rows { condition += " AND \(rows)" }
    exclude(
      "UPDATE \(name(own.name)) SET \(name: column.name) = \(value) WHERE \(condition)",
      "'\(own.name).\(column.name)' is required now")
  }

  private static func isNoConstant(_ column: ColumnDefinition, of table: TableDefinition) -> String {
    "the value of '\(table.name).\(column.name)' for existing rows is no constant of SQL"
  }

  private mutating func add(_ column: ColumnDefinition, to table: ShapeChange.Table) throws {
    guard let own = table.new else { return }
    let type = new.type(of: column.name, in: own.name)
    let preset = table.presets.first { $0.column == column.name }
    var addition: SQLFragment =
      "ALTER TABLE \(name(own.name)) ADD COLUMN \(name: column.name) \(type.sql)"
    if type == .text { addition += dialect.byteOrder }
    if column.isRequired { addition += " NOT NULL" }
    guard let preset, !isEmpty else { return expand(addition) }
    guard let value = try type.literal(of: preset.value) else {
      return obstacles.append(Self.isNoConstant(column, of: own))
    }
    guard let rows = preset.rows else {
      // Programs of the older version write rows without a value.
      expand("\(addition) DEFAULT \(value)")
      steps.append(
        Step(
          statement: "ALTER TABLE \(name(own.name)) ALTER COLUMN \(name: column.name) DROP DEFAULT", phase: .contract,
          isCosmetic: true))
      return
    }
    expand(addition)
    // Rows have their old classes until all columns are added.
    exclude(
      """
      UPDATE \(name(own.name)) SET \(name: column.name) = \(value)
      WHERE \(rows)
      """, "only some rows get a value of '\(own.name).\(column.name)'")
  }

  mutating func renameClasses(of table: ShapeChange.Table) {
    guard let own = table.new, let first = table.renamedClasses.first, !isEmpty else { return }
    var cases: SQLFragment = "CASE \(name: first.column)"
    for (_, from, to) in table.renamedClasses { cases += " WHEN \(literal: from) THEN \(literal: to)" }
    exclude(
      """
      UPDATE \(name(own.name)) SET \(name: first.column) = \(cases) END
      WHERE \(name: first.column) IN (\(literals: table.renamedClasses.map(\.from)))
      """, "the class '\(first.from)' is called '\(first.to)' now")
  }

  /// Drops the columns that the new version does not have, or has in another form.
  ///
  /// - Parameter isEarly: true for columns whose names others get; they are dropped before those.
  mutating func dropColumns(of table: ShapeChange.Table, whoseNamesAreUsed isEarly: Bool) throws {
    guard let old = table.old, let own = table.new else { return }
    let dropped = old.columns.filter { !isKept($0.name, of: table) && isEarly == (own.column(named: $0.name) != nil) }
    let exact: SQLFragment = "\(name: PostgresLayout.exactColumn)"
    let isExact = self.old.hasExactColumn(old.name)
    let texts = dropped.filter { self.old.isNormalized($0.name, in: old.name) }
    // Early, the table has its old name.
    let table = name(isEarly ? old.name : own.name)
    if isExact, new.hasExactColumn(own.name), !texts.isEmpty, !isEmpty {
      let keys = texts.map { "\(literal: $0.name)" as SQLFragment }.joined(separator: ", ")
      contract(
        """
        UPDATE \(table) SET \(exact) = NULLIF(\(exact)::jsonb - ARRAY[\(keys)], '{}'::jsonb)::\(dialect.exactType)
        WHERE \(exact) IS NOT NULL
        """)
    }
    for column in dropped {
      let statement: SQLFragment = "ALTER TABLE \(table) DROP COLUMN \(name: column.name)"
      if isEarly {
        exclude(statement, "another property has the column '\(old.name).\(column.name)' now")
      } else {
        try relax(column, of: old, own)
        contract(statement)
      }
    }
    if !isEarly, isExact, !new.hasExactColumn(own.name) { contract("ALTER TABLE \(table) DROP COLUMN \(exact)") }
  }

  /// Lets programs of the new version write rows without a column that is dropped later.
  private mutating func relax(_ column: ColumnDefinition, of old: TableDefinition, _ own: TableDefinition) throws {
    guard isRequired(column.name, of: old) else { return }
    let preset = change.old.preset(of: column.name, in: old.name)
    let type = self.old.type(of: column.name, in: old.name)
    let value = try preset.flatMap { try type.literal(of: $0) }
    guard let value else {
      return exclusions.append(
        "'\(old.name).\(column.name)' is required and has no default value, so programs of the new version cannot write "
          + "rows that programs of the older version read")
    }
    expand(
      "ALTER TABLE \(name(own.name)) ALTER COLUMN \(name: column.name) SET DEFAULT \(value)", isWhole: false)
  }
}

extension PostgresType {
  /// A value, which has SQLite's form, as a constant of the type; nil for a text that the column has in another form, see
  /// ``PostgresLayout/exactColumn``.
  fileprivate func literal(of value: SQLValue) throws -> SQLFragment? {
    if case .text(let text) = value, text.utf8.contains(0) {
      throw PostgresError(.nullCharacter, "a default value contains U+0000, which PostgreSQL does not store")
    }
    if case .text(let text) = value, !text.utf8.elementsEqual(TextRules.normalized(text).utf8) { return nil }
    guard let text = PostgresText.text(of: sent(value)) else { return nil }
    return "\(literal: text)::\(sql)"
  }

  /// The value that PostgreSQL has for the stored form of a value.
  private func sent(_ value: SQLValue) -> SQLValue {
    switch (self, value) {
    case (.boolean, .integer(let number)): .text(number == 0 ? "false" : "true")
    case (.unsigned, .integer(let number)): .text(String(UInt64(bitPattern: number) ^ (1 << 63)))
    default: value
    }
  }
}
