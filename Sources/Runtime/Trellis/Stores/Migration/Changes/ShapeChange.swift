/// The changes of the tables from one version to the next, independent of a database.
///
/// A store in another database translates them into its SQL.
package struct ShapeChange: Sendable {
  /// The older version; nil without a plan, which alone knows its models.
  package let old: StoreCatalogue?
  package let new: StoreCatalogue
  /// The schema of the older version.
  package let former: Schema
  package private(set) var tables: [Table] = []
  /// The reasons why SQL cannot migrate the rows: a value has another form, or code of the program computes it. If there
  /// are any, a ``RowMigration`` migrates the rows.
  package private(set) var obstacles: [String] = []

  package struct Table: Sendable {
    /// Nil for a table that is new.
    package let old: TableDefinition?
    /// Nil for a table that the new version does not have.
    package let new: TableDefinition?
    /// The old name of each column that both versions have, by its new name.
    package var kept: [String: String] = [:]
    package var presets: [Preset] = []
    /// Renamed classes, if a column of the table contains the class of a row.
    package var renamedClasses: [(column: String, from: String, to: String)] = []
  }

  /// The value of existing rows in a new column.
  package struct Preset: Sendable {
    package let column: String
    package let value: any ColumnValue
    /// The column that contains the class of a row, and the old names of the classes whose rows get the value; nil if all
    /// rows get it.
    package let classes: (column: String, names: [String])?
  }

  /// The changes of a step of a plan.
  ///
  /// - Parameters:
  ///   - tables: the tables of the store: a table of pairs keeps the name that it has there.
  ///   - columns: the store's columns by class and property for the first step; empty for the next ones.
  /// - Throws: as ``StageChanges``.
  package init(_ step: VersionStep, knowing tables: Set<String>, columns: [String: String]) throws {
    let stage = try StageChanges(step, knowing: tables, columns: columns)
    (old, new) = (stage.old, stage.new)
    former = stage.old.schema
    if !step.plan.isOnlyShape { obstacles.append("code of the program gives values") }
    obstacles += stage.gaps.map(\.text)
    obstacles += stage.checks.map { "'\($0.entity).\($0.property)' \($0.reason)" }
    obstacles += stage.links.map { "'\($0.entity).\($0.property)' refers to its models in another way" }
    if !stage.departures.isEmpty { obstacles.append("references lead to models of another class") }
    for move in stage.moves { add(move) }
    self.tables += stage.dropped.map { Table(old: $0, new: nil) }
  }

  private mutating func add(_ move: TableMove) {
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
      if condition != nil { obstacles.append("'\(source.name)' has rows of models that are gone") }
      var table = Table(old: source, new: move.table)
      table.renamedClasses = move.renamedClasses
      var used = Set<String>()
      for column in move.table.columns {
        guard let origin = move.origins[column.name] else { continue }
        if let former = origin.column, used.insert(former).inserted {
          table.kept[column.name] = former
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
    guard origin.isInPlace, let part = origin.parts.first else { return false }
    if part.value == .null { return !column.isRequired }
    let entity = move.entities.first?.new
    let isClass = entity?.discriminators.isEmpty == false && column.name == entity?.entityColumn
    let value: (any ColumnValue)? = isClass ? entity?.name : new.preset(of: column.name, in: move.table.name)
    guard let value else { return false }
    let classes = part.classes.flatMap { names in entity.map { (column: $0.entityColumn, names: names) } }
    table.presets.append(Preset(column: column.name, value: value, classes: classes))
    return true
  }

  /// The changes of a store that is opened without a plan.
  ///
  /// - Parameters:
  ///   - stored: the tables that the store has.
  ///   - columns: its columns by class and property.
  ///   - from: its schema.
  package init(
    from stored: [TableDefinition], columns: [String: String], _ from: Schema, to catalogue: StoreCatalogue
  ) {
    let difference = CatalogueDifference(from: stored, from, columns: columns, to: catalogue)
    (old, new) = (nil, catalogue)
    former = from
    obstacles =
      ValueDifference.exchanges(from: from, to: catalogue.schema) + difference.obstacles
      + ValueDifference.obstacles(from: from, to: catalogue.schema, difference.obstacles)
    var formerTables: [String: String] = [:]
    var formerColumns: [String: [String: String]] = [:]
    var presets: [String: [Preset]] = [:]
    var classes: [String: [(column: String, from: String, to: String)]] = [:]
    for change in difference.changes {
      switch change {
      case .renameTable(let from, let to): formerTables[to] = from
      case .renameColumn(let table, let from, let to):
        // Two columns exchange their names through a third one.
        let names = formerColumns[table] ?? [:]
        formerColumns[table, default: [:]][to] = names[from] ?? from
        formerColumns[table]?[from] = nil
      case .renameEntity(let entity): classes[entity.table, default: []].append((entity.column, entity.from, entity.to))
      case .addColumn(let table, let column, let preset?, let holders):
        if holders != nil {
          obstacles.append("'\(table).\(column.name)' is new, and only some rows have its value")
        }
        presets[table, default: []].append(Preset(column: column.name, value: preset, classes: nil))
      case .addColumn(let table, let column, nil, _?):
        obstacles.append(CatalogueDifference.missingValue(of: column, in: table))
      case .dropClass(_, _, let former): obstacles.append(CatalogueDifference.goneClass(former))
      case .fillColumn(let table, let column, _, _):
        obstacles.append("'\(table).\(column)' has no value in rows that are to have one")
      case .rebuildTable(let table, let required):
        // What a row without a value gets is not part of the shape.
        obstacles += required.map { "'\(table.name).\($0.column)' was optional" }
      case .addTable, .addColumn, .addIndex, .dropIndex: continue
      }
    }
    for table in catalogue.tables {
      guard let old = stored.first(where: { $0.name == formerTables[table.name] ?? table.name }) else {
        tables.append(Table(old: nil, new: table))
        continue
      }
      let names = formerColumns[table.name] ?? [:]
      let kept = table.columns.compactMap { column -> (String, String)? in
        let former = names[column.name] ?? column.name
        return old.column(named: former) == nil ? nil : (column.name, former)
      }
      tables.append(
        Table(
          old: old, new: table, kept: Dictionary(kept, uniquingKeysWith: { first, _ in first }),
          presets: presets[table.name] ?? [], renamedClasses: classes[table.name] ?? []))
    }
  }
}
