/// The changes of the tables from one version to the next. They follow from the two schemas alone: no row is read.
struct StageChanges {
  let step: VersionStep
  let old: StoreCatalogue
  let new: StoreCatalogue
  /// The properties, as `Model.property`, to which fills give values.
  let fills: Set<String>
  /// The properties, as `Model.property`, whose former values may go.
  let accepted: Set<String>
  /// The old entities by the names of the new ones.
  private(set) var entities: [String: EntityLayout] = [:]
  /// The models and properties that the new ones continue.
  let origins: SchemaOrigins
  var moves: [TableMove] = []
  /// Old tables that no new table continues.
  private(set) var dropped: [TableDefinition] = []
  /// The properties without a value, in the order of the schema.
  var gaps: [MigrationProblem] = []
  /// The conditions that no old row may meet, or else the stage needs more steps.
  var checks: [MigrationProblem] = []
  var links: [Link] = []
  /// Statements that remove references to rows that have another class in the new version.
  var departures: [SQLFragment] = []
  /// The new names of the old tables that new tables continue.
  private(set) var tableNames: [String: String] = [:]

  init(_ step: VersionStep) throws {
    self.step = step
    old = try CatalogueBuilder.catalogue(of: step.from.schema)
    new = try CatalogueBuilder.catalogue(of: step.to.schema)
    fills = step.fills
    accepted = step.accepted
    origins = SchemaOrigins(old.schema, of: new.schema)
    for entity in new.layout.entities {
      entities[entity.name] = origins.models[entity.name].flatMap { old.layout.entity(named: $0) }
    }
    for table in new.tables {
      let members = new.layout.entities.filter { $0.table == table.name }
      guard !members.isEmpty else {
        moves.append(joinMove(table))
        continue
      }
      var columns = ColumnMoves(of: table, members, in: self)
      try columns.run()
      gaps += columns.gaps
      checks += columns.checks
      moves.append(columns.move)
    }
    addLinks()
    addDepartures()
    for move in moves { if let source = move.source { tableNames[source.name] = move.table.name } }
    dropped = old.tables.filter { tableNames[$0.name] == nil }
    chooseRebuilds()
    if !step.isPlanned { addLosses() }
  }

  /// True if the tables stay as they are.
  var isEmpty: Bool { moves.allSatisfy(\.isUnchanged) && dropped.isEmpty }

  /// True if a store without a plan can be used as it is.
  var leavesTables: Bool { isEmpty && refusals.isEmpty && checks.isEmpty }

  /// True if the stage writes or deletes rows.
  var rewritesRows: Bool {
    moves.contains { $0.isRebuilt && $0.source != nil } || !dropped.isEmpty || !departures.isEmpty
  }

  /// True if a program of the old version reads the same values from the new tables.
  var onlyAdds: Bool { !rewritesRows && moves.allSatisfy { $0.source == nil || $0.keepsNames } }

  /// The property of the old version that a property continues.
  func formerProperty(of property: ModelProperty, in new: EntityLayout) -> ModelProperty? {
    origins.former(property.name, of: new.name).flatMap {
      entities[new.name]?.definition.layout.property(named: $0.name)
    }
  }

  /// The old column that a property continues; nil for a new property, and for one that was a list.
  func formerColumn(of property: ModelProperty, in new: EntityLayout) -> ColumnLayout? {
    guard let former = formerProperty(of: property, in: new), !former.kind.isToMany,
      let old = entities[new.name], old.columns.indices ~= former.slot
    else { return nil }
    return old.columns[former.slot]
  }

  /// The old list that a list continues; nil for a new list, and for one that was a reference.
  func formerList(of property: ModelProperty, in new: EntityLayout) -> ListLayout? {
    guard let former = formerProperty(of: property, in: new), former.kind.isToMany,
      let old = entities[new.name], old.lists.indices ~= former.slot
    else { return nil }
    return old.lists[former.slot]
  }

  /// True if references to the old model are references to the new one.
  func isSame(_ oldName: String, _ newName: String) -> Bool {
    guard let old = old.layout.entity(named: oldName), let new = new.layout.entity(named: newName)
    else { return false }
    // Rows that come into another table are new rows.
    if let former = entities[new.name], former.table != source(of: new.table) { return false }
    return entities[new.name] === old || entities[new.rootName]?.table == old.table
  }

  /// The old table whose rows a table of models gets.
  private func source(of table: String) -> String? {
    new.layout.entities.lazy.filter { $0.table == table }.compactMap { entities[$0.name]?.table }.first
  }

  /// Decides which tables are rewritten and which keep their rows.
  private mutating func chooseRebuilds() {
    for index in moves.indices {
      let isFilled = moves[index].entities.contains { pair in
        fills.contains { $0.hasPrefix("\(pair.new.name).") }
      }
      // A custom step reads the old tables beside the new ones.
      moves[index].isRebuilt = step.hasCustomSteps || isFilled || !moves[index].canStay(tableNames)
    }
    // A table that stays follows the renaming of tables that stay, and of no others.
    while let index = moves.firstIndex(where: { !$0.isRebuilt && refersToMovedRows($0) }) {
      moves[index].isRebuilt = true
    }
  }

  /// True if the old table refers to a table whose rows go to one of another name.
  private func refersToMovedRows(_ move: TableMove) -> Bool {
    let targets = move.source?.columns.compactMap { $0.reference?.table } ?? []
    return moves.contains { other in
      guard other.isRebuilt, let target = other.source?.name else { return false }
      return targets.contains(target) && tableNames[target] != target
    }
  }
}

/// Values of the new version that do not follow from the old version.
package struct MigrationProblem: Sendable {
  /// The rows of an old table that meet a condition.
  package struct Rows: Sendable {
    package let table: String
    let key: String
    let condition: SQLFragment

    /// A statement for the keys of the first rows.
    ///
    /// - Parameter table: the table's name in the database.
    package func keys(in table: String) -> SQLFragment {
      "SELECT \(name: key) FROM \(name: table) WHERE \(condition) ORDER BY 1 LIMIT 3"
    }
  }

  let entity: String
  /// Empty if the problem is about all values of the model.
  let property: String
  let reason: String
  /// The columns of the new property that lacks values, if it is one.
  var place: (table: String, columns: [String])?
  /// The old rows with the problem; nil if no row decides about it.
  package var rows: Rows?
  /// False if a custom step cannot give the values.
  var isAboutMissing = true

  private var title: String { property.isEmpty ? entity : "\(entity).\(property)" }

  var text: String { "'\(title)' \(reason)" }

  /// The error message for the rows with some keys.
  package func text(_ keys: [String]) -> String { "\(text): \(keys.map { "\(entity)/\($0)" }.joined(separator: ", "))" }
}
