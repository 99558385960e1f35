/// The changes of the tables from one version to the next, independent of a database.
///
/// A store in another database translates them into its SQL.
package struct ShapeChange: Sendable {
  package let old: StoreCatalogue
  package let new: StoreCatalogue
  package private(set) var tables: [Table] = []
  /// The reasons why SQL cannot migrate the rows: a value has another form, or code of the program computes it. If there
  /// are any, a ``RowMigration`` migrates the rows.
  package private(set) var obstacles: [String] = []
  /// The rows without which a store must be found before it is opened without a plan; empty with a plan.
  package private(set) var checks: [MigrationCheck] = []

  package struct Table: Sendable {
    /// Nil for a table that is new.
    package let old: TableDefinition?
    /// Nil for a table that the new version does not have.
    package let new: TableDefinition?
    /// The old name of each column that both versions have, by its new name.
    package var kept: [String: String] = [:]
    /// Values of new columns, and of kept columns for the rows without a value.
    package var presets: [Preset] = []
    /// Renamed classes, if a column of the table contains the class of a row.
    package var renamedClasses: [(column: String, from: String, to: String)] = []
  }

  /// The value of existing rows in a column.
  package struct Preset: Sendable {
    package let column: String
    package let value: any ColumnValue
    /// The rows that get the value, as a condition over new columns and old classes; nil for all rows.
    package let rows: SQLFragment?
  }

  /// The changes of a step.
  ///
  /// - Parameters:
  ///   - tables: the tables of the store: a table of pairs keeps the name that it has there.
  ///   - columns: the store's columns by class and property for the first step; empty for the next ones.
  /// - Throws: as ``StageChanges``.
  package init(_ step: VersionStep, knowing tables: Set<String>, columns: [String: String]) throws {
    let stage = try StageChanges(step, knowing: tables, columns: columns)
    (old, new) = (stage.old, stage.new)
    if !step.plan.isOnlyShape { obstacles.append("code of the program gives values") }
    if step.isPlanned {
      obstacles += stage.gaps.map(\.text)
      obstacles += stage.checks.map { "'\($0.entity).\($0.property)' \($0.reason)" }
      obstacles += stage.links.map { "'\($0.entity).\($0.property)' refers to its models in another way" }
      if !stage.departures.isEmpty { obstacles.append("references lead to models of another class") }
    } else {
      obstacles += stage.refusals
      checks = stage.checks
    }
    for move in stage.moves { add(move, isPlanned: step.isPlanned) }
    self.tables += stage.dropped.map { Table(old: $0, new: nil) }
  }

  private mutating func add(_ move: TableMove, isPlanned: Bool) {
    switch move.rows {
    case .none: return tables.append(Table(old: nil, new: move.table))
    case .references:
      obstacles.append("the pairs of '\(move.table.name)' were references")
      return tables.append(Table(old: nil, new: move.table))
    case .table(let source, let condition):
      if tables.contains(where: { $0.old?.name == source.name }) {
        obstacles.append("the rows of '\(source.name)' are divided between several tables")
        return tables.append(Table(old: nil, new: move.table))
      }
      if condition != nil, isPlanned { obstacles.append("'\(source.name)' has rows of models that are gone") }
      var table = Table(old: source, new: move.table)
      table.renamedClasses = move.renamedClasses
      var used = Set<String>()
      for column in move.table.columns {
        guard let origin = move.origins[column.name] else { continue }
        if let former = origin.column, used.insert(former).inserted {
          table.kept[column.name] = former
        } else if let former = filledColumn(origin, in: source), used.insert(former).inserted,
          let preset = preset(of: column, origin.parts, move)
        {
          table.kept[column.name] = former
          table.presets.append(preset)
        } else if !addPreset(of: column, origin, move, to: &table) {
          obstacles.append("the values of '\(move.table.name).\(column.name)' are computed from others")
        }
      }
      tables.append(table)
    }
  }

  /// - Returns: false if the value is not the same in all rows of a class.
  private func addPreset(
    of column: ColumnDefinition, _ origin: ColumnOrigin, _ move: TableMove, to table: inout Table
  ) -> Bool {
    guard let part = origin.parts.first else { return false }
    var presence: String?
    if case .member(_, let former) = part.value, origin.parts.count == 1 {
      presence = move.origins.first { $0.value.column == former }?.key
      if presence == nil { return false }
    } else if !origin.isInPlace {
      return false
    }
    if part.value == .null { return !column.isRequired }
    guard let preset = preset(of: column, origin.parts, move, presence) else { return false }
    table.presets.append(preset)
    return true
  }

  private func preset(
    of column: ColumnDefinition, _ parts: [ColumnOrigin.Part], _ move: TableMove, _ presence: String? = nil
  ) -> Preset? {
    let entity = move.entities.first?.new
    let isClass = entity?.discriminators.isEmpty == false && column.name == entity?.entityColumn
    // The column that tells an optional struct from nil.
    let isPresence = move.entities.contains { _, new in
      new.columns.contains { $0.name == column.name && !$0.members.isEmpty && $0.members[0].name != $0.name }
    }
    let value: (any ColumnValue)? =
      isClass ? entity?.name : isPresence ? 1 : new.preset(of: column.name, in: move.table.name)
    guard let value else { return nil }
    var conditions: [SQLFragment] = []
    if let classes = parts[0].classes, let entity {
      conditions.append("\(name: entity.entityColumn) IN (\(literals: classes))")
    }
    if let presence { conditions.append("\(name: presence) IS NOT NULL") }
    return Preset(
      column: column.name, value: value, rows: conditions.isEmpty ? nil : conditions.joined(separator: " AND "))
  }

  /// The old column, if rows get its values or a default value, and no row of another class has a value there.
  private func filledColumn(_ origin: ColumnOrigin, in source: TableDefinition) -> String? {
    guard origin.parts.count == 1, case .filled(let name, _) = origin.parts[0].value else { return nil }
    guard let classes = origin.parts[0].classes else { return name }
    let isOwn = old.layout.entities.allSatisfy { entity in
      entity.table != source.name || classes.contains(entity.name)
        || !entity.columns.contains { $0.names.contains(name) }
    }
    return isOwn ? name : nil
  }
}
