/// Table changes between two versions, independent of the database.
///
/// A store on a different database system translates them to SQL.
package struct ShapeChange: Sendable {
  package let old: StoreCatalogue
  package let new: StoreCatalogue
  package private(set) var tables: [Table] = []
  /// Why SQL cannot migrate the rows: values are stored differently or computed by the app's code. If there are any
  /// obstacles, a ``RowMigration`` migrates the rows.
  package private(set) var obstacles: [String] = []
  /// Rows that must not exist when a store is opened with no plan; empty if there is a plan.
  package private(set) var checks: [MigrationProblem] = []

  package struct Table: Sendable {
    /// `nil` for a new table.
    package let old: TableDefinition?
    /// `nil` for a removed table.
    package let new: TableDefinition?
    /// New column names mapped to old names, for columns in both versions.
    package var kept: [String: String] = [:]
    /// Values for new columns, and for rows that have no value in a kept column.
    package var presets: [Preset] = []
    /// Renamed classes, if the table has an entity column.
    package var renamedClasses: [(column: String, from: String, to: String)] = []
  }

  /// A column value for existing rows.
  package struct Preset: Sendable {
    package let column: String
    /// The value as SQLite stores it.
    package let value: SQLValue
    /// The rows that receive the value, as a condition on new columns and old classes; `nil` for all rows.
    package let rows: SQLFragment?
  }

  /// Determines a step's table changes.
  ///
  /// - Throws: The same errors as ``StageChanges``.
  package init(_ step: VersionStep) throws {
    let stage = try StageChanges(step)
    self.init(stage)
    guard step.isPlanned else {
      obstacles = stage.refusals
      checks = stage.checks
      return
    }
    obstacles = (stage.gaps + stage.checks).map(\.text) + stage.relocations + obstacles
    if !step.plan.isOnlyShape { obstacles.append("the app's code sets values") }
    if !stage.departures.isEmpty { obstacles.append("references refer to models of a different class") }
    for case .table(let source, .some) in stage.moves.map(\.rows) {
      obstacles.append("'\(source.name)' has rows of removed models")
    }
  }

  /// Creates the table changes and records the reasons why columns cannot be kept.
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
      default: obstacles.append("the values of '\(move.table.name).\(column.name)' are computed from other values")
      }
    }
    tables.append(table)
  }

  /// Returns a condition for rows of some classes or with an optional struct; `nil` for all rows.
  private func rows(_ classes: [String]?, _ presence: String?, _ move: TableMove) -> SQLFragment? {
    var conditions: [SQLFragment] = []
    if let classes, let entity = move.entities.first?.new {
      conditions.append("\(name: entity.entityColumn) IN (\(literals: classes))")
    }
    if let presence { conditions.append("\(name: presence) IS NOT NULL") }
    return conditions.isEmpty ? nil : conditions.joined(separator: " AND ")
  }
}
