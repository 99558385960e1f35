/// The differences between the tables of a store and those of a schema.
struct CatalogueDifference {
  /// The changes that keep every stored value, in order.
  var changes: [Change] = []
  /// The differences that would lose stored values, as texts.
  var obstacles: [String] = []

  enum Change {
    case addTable(TableDefinition)
    case renameEntity(StoreCatalogue.Renamings.Entity)
    case renameTable(from: String, to: String)
    case renameColumn(table: String, from: String, to: String)
    /// - Parameter holders: the rows that must have a value in a column that can be NULL.
    case addColumn(
      table: String, ColumnDefinition, preset: (any ColumnValue)?, holders: SQLFragment? = nil)
    /// A value for the rows that are to have one now, in a column that can be NULL.
    case fillColumn(table: String, column: String, preset: (any ColumnValue)?, holders: SQLFragment)
    /// A class that is gone. It must have no rows.
    case dropClass(table: String, column: String, String)
    /// Other constraints of columns.
    ///
    /// - Parameter required: the columns that were optional, each with the value of rows without one.
    case rebuildTable(TableDefinition, required: [(column: String, preset: (any ColumnValue)?)])
    case addIndex(IndexDefinition, table: String)
    case dropIndex(IndexDefinition, table: String)
  }

  /// - Parameters:
  ///   - schema: the schema that the store has recorded.
  ///   - columns: the columns of the store by class and property.
  init(
    from stored: [TableDefinition], _ schema: Schema, columns: [String: String], to catalogue: StoreCatalogue
  ) {
    let origins = SchemaOrigins(schema, of: catalogue.schema)
    let former = FormerColumns(columns, schema, origins, catalogue)
    var old = Dictionary(stored.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    // Everything else is compared under the new names.
    for table in catalogue.tables where old[table.name] == nil {
      guard let former = catalogue.renamings.tables[table.name], var moved = old[former],
        !catalogue.tables.contains(where: { $0.name == former })
      else { continue }
      old[former] = nil
      moved.name = table.name
      old[table.name] = moved
      changes.append(.renameTable(from: former, to: table.name))
    }
    var present: [String: TableDefinition] = [:]
    let moves = changes
    for (name, table) in old { old[name] = table.followingTables(moves) }
    for table in catalogue.tables {
      if var known = old.removeValue(forKey: table.name) {
        let stored = known
        let renamed = renameColumns(
          of: &known, as: table, former.names(in: known, as: table), catalogue.renamings.columns[table.name] ?? [:])
        obstacles += former.obstacles(in: stored, as: table, renamed)
        compare(known, table, catalogue)
        present[table.name] = known
      } else {
        changes.append(.addTable(table))
      }
    }
    for entity in catalogue.renamings.entities
    where stored.contains(where: { $0.name == entity.table }) || catalogue.renamings.tables[entity.table] != nil {
      let isKnown = columns.keys.contains { $0.hasPrefix("\(entity.to).") }
      if !isKnown, !catalogue.layout.entities.contains(where: { $0.name == entity.from }) {
        changes.append(.renameEntity(entity))
      }
    }
    for (name, table) in old.sorted(by: { $0.key < $1.key }) {
      // Tables of models have a key of their own, tables of lists have two references.
      let isModel = table.columns.contains(where: \.isRowKey)
      obstacles.append(
        isModel
          ? "table '\(name)' is no longer in the schema, and its rows would be lost: if the model was "
            + "renamed, write '@Model(originalName: \"\(name)\")'"
          : "table '\(name)' of a list is no longer in the schema, and what the list contains would be lost: if the "
            + "property was renamed, write its former name in 'originalName:' in front of it")
    }
    compareProperties(of: schema, origins, present, catalogue)
    let all = changes
    changes = Change.Phase.allCases.flatMap { phase in all.filter { $0.phase == phase } }
  }

  /// Gives every property the column that it had, also if two properties have exchanged their names.
  ///
  /// - Parameters:
  ///   - recorded: the former columns by the metadata of the store, by new column.
  ///   - declared: the former columns by `originalName`, for columns that the metadata does not have.
  /// - Returns: the former name of each column that has another one now.
  private mutating func renameColumns(
    of table: inout TableDefinition, as wanted: TableDefinition, _ recorded: [String: String],
    _ declared: [String: String]
  ) -> [String: String] {
    var names: [String: String] = [:]
    func add(_ former: String?, _ column: String) {
      guard let former, former != column, table.column(named: former) != nil, names[former] == nil else { return }
      names[former] = column
    }
    for column in wanted.columns { add(recorded[column.name], column.name) }
    // A column keeps its name if another column has the new name and keeps it.
    var isSettled = false
    while !isSettled {
      let possible = names.filter { table.column(named: $1) == nil || names[$1] != nil }
      isSettled = possible.count == names.count
      names = possible
    }
    for column in wanted.columns
    where table.column(named: column.name) == nil && !names.values.contains(column.name) {
      guard let former = declared[column.name], wanted.column(named: former) == nil else { continue }
      add(former, column.name)
    }
    guard !names.isEmpty else { return [:] }
    for (from, to) in Rename.ordered(names.sorted { $0.key < $1.key }.map { (from: $0.key, to: $0.value) }) {
      changes.append(.renameColumn(table: table.name, from: from, to: to))
    }
    func current(_ name: String) -> String { names[name] ?? name }
    for index in table.columns.indices { table.columns[index].name = current(table.columns[index].name) }
    table.key = table.key.map(current)
    table.indexes = table.indexes.map { index in
      var index = index
      index.columns = index.columns.map(current)
      if let column = index.condition?.column { index.condition?.column = current(column) }
      return index
    }
    return Dictionary(names.map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
  }

  private mutating func compare(
    _ known: TableDefinition, _ wanted: TableDefinition, _ catalogue: StoreCatalogue
  ) {
    let table = wanted.name
    var isRebuilt = false
    var required: [(column: String, preset: (any ColumnValue)?)] = []
    for column in wanted.columns {
      guard let old = known.column(named: column.name) else {
        add(column, to: table, catalogue)
        continue
      }
      if old.type != column.type {
        obstacles.append(
          "'\(table).\(column.name)' was \(old.type.rawValue) and is \(column.type.rawValue)")
      }
      if old.isRequired != column.isRequired {
        if catalogue.isPartOfStruct(column.name, in: table) {
          obstacles.append(
            "'\(table).\(column.name)' " + (column.isRequired ? "was optional" : "is optional now"))
        }
        isRebuilt = true
        if column.isRequired { required.append((column.name, catalogue.preset(of: column.name, in: table))) }
      }
      guard old.reference != column.reference else { continue }
      isRebuilt = true
      if old.reference == nil || column.reference == nil {
        obstacles.append(
          "'\(table).\(column.name)' has a foreign key only before or after the change, because a reference with "
            + "'.noAction' has none")
      } else if old.reference?.table != column.reference?.table {
        obstacles.append("'\(table).\(column.name)' refers to rows of another table")
      }
    }
    if isRebuilt { changes.append(.rebuildTable(wanted, required: required)) }
    for column in known.columns where wanted.column(named: column.name) == nil {
      obstacles.append(
        "'\(table).\(column.name)' is no longer in the schema, and its values would be lost: if the "
          + "property was renamed, write 'originalName: \"\(column.name)\"' in front of it")
    }
    if known.key != wanted.key { obstacles.append("'\(table)' has another key") }
    for index in known.indexes where !wanted.indexes.contains(index) {
      changes.append(.dropIndex(index, table: table))
    }
    for index in wanted.indexes where !known.indexes.contains(index) {
      changes.append(.addIndex(index, table: table))
    }
  }

  private mutating func add(
    _ column: ColumnDefinition, to table: String, _ catalogue: StoreCatalogue
  ) {
    let preset = catalogue.preset(of: column.name, in: table)
    guard column.isRequired else {
      var holders = catalogue.holders[table]?[column.name]
      if preset == nil, holders?.isRequired == false { holders = nil }
      changes.append(.addColumn(table: table, column, preset: preset, holders: holders?.rows))
      return
    }
    guard let preset else {
      obstacles.append(Self.missingValue(of: column, in: table))
      return
    }
    changes.append(.addColumn(table: table, column, preset: preset))
  }

  static func goneClass(_ name: String) -> String {
    "model '\(name)' is no longer in the schema, and its rows would be lost: if it was renamed, write "
      + "'@Model(originalName: \"\(name)\")'"
  }

  static func missingValue(of column: ColumnDefinition, in table: String) -> String {
    "'\(table).\(column.name)' is new, required and has no default value"
  }
}

extension StoreCatalogue {
  /// True for a column of a property of a struct that has one for each of them.
  fileprivate func isPartOfStruct(_ column: String, in table: String) -> Bool {
    layout.entities.contains { entity in
      entity.table == table && entity.columns.contains { !$0.members.isEmpty && $0.names.contains(column) }
    }
  }
}

package enum Rename {
  /// Orders renames so that each name is free when it is used: two objects may exchange their names.
  package static func ordered(_ names: [(from: String, to: String)]) -> [(from: String, to: String)] {
    let names = names.filter { $0.from != $0.to }
    func isTaken(_ name: String) -> Bool { names.contains { NameScope.areEqual($0.from, name) } }
    let waiting = names.filter { isTaken($0.to) }
    return waiting.map { ($0.from, "trellis_moving_\($0.from)") } + names.filter { !isTaken($0.to) }
      + waiting.map { ("trellis_moving_\($0.from)", $0.to) }
  }
}
