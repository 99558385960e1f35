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
  package private(set) var checks: [MigrationProblem] = []

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
    /// As SQLite stores it.
    package let value: SQLValue
    /// The rows that get the value, as a condition over new columns and old classes; nil for all rows.
    package let rows: SQLFragment?
  }

  /// The changes of a step.
  ///
  /// - Throws: as ``StageChanges``.
  package init(_ step: VersionStep) throws {
    let stage = try StageChanges(step)
    self.init(stage)
    guard step.isPlanned else {
      obstacles = stage.refusals
      checks = stage.checks
      return
    }
    obstacles = (stage.gaps + stage.checks).map(\.text) + stage.relocations + obstacles
    if !step.plan.isOnlyShape { obstacles.append("code of the program gives values") }
    if !stage.departures.isEmpty { obstacles.append("references lead to models of another class") }
    for case .table(let source, .some) in stage.moves.map(\.rows) {
      obstacles.append("'\(source.name)' has rows of models that are gone")
    }
  }

  /// The tables, with the reasons why their columns cannot stay.
  init(_ stage: StageChanges) {
    (old, new) = (stage.old, stage.new)
    for move in stage.moves { add(move) }
    tables += stage.dropped.map { Table(old: $0, new: nil) }
  }

  private mutating func add(_ move: TableMove) {
    guard let source = move.source else { return tables.append(Table(old: nil, new: move.table)) }
    if tables.contains(where: { $0.old?.name == source.name }) {
      obstacles.append("the rows of '\(source.name)' are divided between several tables")
      return tables.append(Table(old: nil, new: move.table))
    }
    var table = Table(old: source, new: move.table, renamedClasses: move.renamedClasses)
    var used = Set<String>()
    for column in move.table.columns {
      guard let origin = move.origins[column.name] else { continue }
      let part = origin.parts.count == 1 ? origin.parts[0] : nil
      func add(_ value: SQLValue, presence: String? = nil) {
        table.presets.append(Preset(column: column.name, value: value, rows: rows(part?.classes, presence, move)))
      }
      switch part?.value {
      case .column(let former)? where part?.classes == nil && used.insert(former).inserted:
        table.kept[column.name] = former
      case .filled(let former, let value)?
      where part?.classes.map { move.isOwn(former, of: $0) } != false && used.insert(former).inserted:
        table.kept[column.name] = former
        add(value)
      case .literal(let value)? where value != .null: add(value)
      case .literal? where !column.isRequired: break
      case .member(let value, let former)?:
        guard let presence = move.origins.first(where: { $0.value.column == former })?.key else { fallthrough }
        add(value, presence: presence)
      default: obstacles.append("the values of '\(move.table.name).\(column.name)' are computed from others")
      }
    }
    tables.append(table)
  }

  /// The rows of some classes, or with an optional struct; nil for all rows.
  private func rows(_ classes: [String]?, _ presence: String?, _ move: TableMove) -> SQLFragment? {
    var conditions: [SQLFragment] = []
    if let classes, let entity = move.entities.first?.new {
      conditions.append("\(name: entity.entityColumn) IN (\(literals: classes))")
    }
    if let presence { conditions.append("\(name: presence) IS NOT NULL") }
    return conditions.isEmpty ? nil : conditions.joined(separator: " AND ")
  }
}
