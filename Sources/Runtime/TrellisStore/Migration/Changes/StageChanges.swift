/// Table changes between two versions, derived from the schemas alone: no rows are read.
struct StageChanges {
  let step: VersionStep
  let old: StoreCatalogue
  let new: StoreCatalogue
  /// Properties that fills set, as `Model.property`.
  let fills: Set<String>
  /// Properties whose old values may be discarded, as `Model.property`.
  let accepted: Set<String>
  /// Old entities by new name.
  private(set) var entities: [String: EntityLayout] = [:]
  /// The old counterparts of the new models and properties.
  let origins: SchemaOrigins
  var moves: [TableMove] = []
  /// Old tables that have no counterpart in the new version.
  private(set) var dropped: [TableDefinition] = []
  /// Properties for which rows would have no value, in schema order.
  var gaps: [MigrationProblem] = []
  /// Conditions that old rows must not match unless the stage has additional steps.
  var checks: [MigrationProblem] = []
  var links: [Link] = []
  /// Statements that remove references to rows whose class no longer matches.
  var departures: [SQLFragment] = []
  /// Old table names mapped to new names, for tables that have a counterpart.
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

  /// True if the tables are unchanged.
  var isEmpty: Bool { moves.allSatisfy(\.isUnchanged) && dropped.isEmpty }

  /// True if the store can be used unchanged when it is opened with no plan.
  var leavesTables: Bool { isEmpty && refusals.isEmpty && checks.isEmpty }

  /// True if the stage writes or deletes rows.
  var rewritesRows: Bool {
    moves.contains { $0.isRebuilt && $0.source != nil } || !dropped.isEmpty || !departures.isEmpty
  }

  /// True if an app with the old version reads the same values from the new tables.
  var onlyAdds: Bool { !rewritesRows && moves.allSatisfy { $0.source == nil || $0.keepsNames } }

  /// Returns the old property that a property continues.
  func formerProperty(of property: ModelProperty, in new: EntityLayout) -> ModelProperty? {
    origins.former(property.name, of: new.name).flatMap {
      entities[new.name]?.definition.layout.property(named: $0.name)
    }
  }

  /// Returns the old column that a property continues; `nil` if the property is new or was a list.
  func formerColumn(of property: ModelProperty, in new: EntityLayout) -> ColumnLayout? {
    guard let former = formerProperty(of: property, in: new), !former.kind.isToMany,
      let old = entities[new.name], old.columns.indices ~= former.slot
    else { return nil }
    return old.columns[former.slot]
  }

  /// Returns the old list that a list continues; `nil` if the list is new or was a reference.
  func formerList(of property: ModelProperty, in new: EntityLayout) -> ListLayout? {
    guard let former = formerProperty(of: property, in: new), former.kind.isToMany,
      let old = entities[new.name], old.lists.indices ~= former.slot
    else { return nil }
    return old.lists[former.slot]
  }

  /// Returns true if references to the old model remain valid for the new model.
  func isSame(_ oldName: String, _ newName: String) -> Bool {
    guard let old = old.layout.entity(named: oldName), let new = new.layout.entity(named: newName)
    else { return false }
    // Rows that move to a different table are new rows.
    if let former = entities[new.name], former.table != source(of: new.table) { return false }
    return entities[new.name] === old || entities[new.rootName]?.table == old.table
  }

  /// Returns the old table that supplies the rows for a model table.
  private func source(of table: String) -> String? {
    new.layout.entities.lazy.filter { $0.table == table }.compactMap { entities[$0.name]?.table }.first
  }

  /// Decides which tables are rewritten and which are altered in place.
  private mutating func chooseRebuilds() {
    for index in moves.indices {
      let isFilled = moves[index].entities.contains { pair in
        fills.contains { $0.hasPrefix("\(pair.new.name).") }
      }
      // A custom step reads the old tables while it fills the new tables.
      moves[index].isRebuilt = step.hasCustomSteps || isFilled || !moves[index].canStay(tableNames)
    }
    // The foreign keys of a table altered in place follow a rename only if the other table is altered in place, too.
    while let index = moves.firstIndex(where: { !$0.isRebuilt && refersToMovedRows($0) }) {
      moves[index].isRebuilt = true
    }
  }

  /// Returns true if the old table refers to a table whose rows move to a table with a new name.
  private func refersToMovedRows(_ move: TableMove) -> Bool {
    let targets = move.source?.columns.compactMap { $0.reference?.table } ?? []
    return moves.contains { other in
      guard other.isRebuilt, let target = other.source?.name else { return false }
      return targets.contains(target) && tableNames[target] != target
    }
  }
}

/// Values in the new version that cannot be derived from the old version.
package struct MigrationProblem: Sendable {
  /// The rows in an old table that match a condition.
  package struct Rows: Sendable {
    package let table: String
    let key: String
    let condition: SQLFragment

    /// Returns a statement that selects up to three keys.
    ///
    /// - Parameter table: The table's name in the database.
    package func keys(in table: String) -> SQLFragment {
      "SELECT \(name: key) FROM \(name: table) WHERE \(condition) ORDER BY 1 LIMIT 3"
    }
  }

  let entity: String
  /// Empty if the problem concerns all of the model's values.
  let property: String
  let reason: String
  /// The new property's columns that lack values, if the problem concerns a property.
  var place: (table: String, columns: [String])?
  /// The affected old rows; `nil` if the problem does not depend on rows.
  package var rows: Rows?
  /// False if a custom step cannot supply the values.
  var isAboutMissing = true

  private var title: String { property.isEmpty ? entity : "\(entity).\(property)" }

  var text: String { "'\(title)' \(reason)" }

  /// Returns the error message for the rows with the given keys.
  package func text(_ keys: [String]) -> String { "\(text): \(keys.map { "\(entity)/\($0)" }.joined(separator: ", "))" }
}
