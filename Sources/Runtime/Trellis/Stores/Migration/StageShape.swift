/// What becomes of the tables of one version in the next, found out without looking at a row.
struct StageShape {
  let old: StoreCatalogue
  let new: StoreCatalogue
  /// By new name: what a model was.
  private(set) var entities: [String: EntityLayout] = [:]
  var moves: [TableMove] = []
  /// Old tables nothing was made of.
  private(set) var dropped: [TableDefinition] = []
  /// In the order of the schema.
  var gaps: [MigrationGap] = []
  var checks: [MigrationCheck] = []
  var links: [Link] = []
  var departures: [Departure] = []
  /// Old table name to new one, where there is one.
  private(set) var tableNames: [String: String] = [:]

  /// - Parameters:
  ///   - stored: gives the form in which a column has a default value.
  ///   - fills: the properties, as `Model.property`, whose values are given.
  ///   - accepted: those whose former values may go.
  ///   - keepsOld: whether the old tables must be left as they are until the end of the stage.
  init(
    from old: StoreCatalogue, to new: StoreCatalogue, filling fills: Set<String> = [],
    accepting accepted: Set<String> = [], keepsOld: Bool = false, stored: (any ColumnValue) throws -> SQLValue
  ) throws {
    self.old = old
    self.new = new
    pairEntities()
    for table in new.tables {
      let members = new.layout.entities.filter { $0.table == table.name }
      if members.isEmpty {
        moves.append(joinMove(table))
      } else {
        var columns = ColumnMoves(shape: self, table: table, members: members, fills: fills)
        try columns.run(stored)
        gaps += columns.gaps
        checks += columns.checks
        moves.append(columns.move)
      }
    }
    addLinks(filling: fills, accepting: accepted)
    addDepartures(filling: fills, accepting: accepted)
    for move in moves { if let source = move.source { tableNames[source.name] = move.table.name } }
    dropped = old.tables.filter { tableNames[$0.name] == nil }
    chooseRebuilds(fills, keepsOld)
  }

  /// Whether a stage touches rows.
  var rewritesRows: Bool {
    moves.contains { $0.isRebuilt && $0.source != nil } || !dropped.isEmpty || !departures.isEmpty
  }

  /// Whether a program of the old version reads the same from the new tables.
  var onlyAdds: Bool {
    !rewritesRows
      && moves.allSatisfy { move in
        guard let source = move.source else { return true }
        return source.name == move.table.name && move.renamedClasses.isEmpty
          && move.origins.allSatisfy { $0.value.column == nil || $0.value.column == $0.key }
      }
  }

  /// The old name of a property.
  func formerProperty(of property: ModelProperty, in new: EntityLayout) -> ModelProperty? {
    guard let old = entities[new.name] else { return nil }
    let pairing = NamePairing(
      from: old.definition.layout.properties.map { NamePairing.Item($0) },
      to: new.definition.layout.properties.map { NamePairing.Item($0) })
    return pairing.origins[property.name].flatMap { old.definition.layout.property(named: $0) }
  }

  /// Whether references to the old model are references to the new one.
  func isSame(_ oldName: String, _ newName: String) -> Bool {
    guard let old = old.layout.entity(named: oldName), let new = new.layout.entity(named: newName)
    else { return false }
    // Rows that come into another table are new ones.
    if let former = entities[new.name], former.table != source(of: new.table) { return false }
    return entities[new.name] === old || entities[new.rootName]?.table == old.table
  }

  /// The old table whose rows a table of models has.
  private func source(of table: String) -> String? {
    new.layout.entities.lazy.filter { $0.table == table }.compactMap { entities[$0.name]?.table }.first
  }

  private mutating func pairEntities() {
    let pairing = NamePairing(
      from: old.layout.entities.map { NamePairing.Item($0, old.schema) },
      to: new.layout.entities.map { NamePairing.Item($0, new.schema) })
    for (name, origin) in pairing.origins { entities[name] = old.layout.entity(named: origin) }
  }

  private mutating func chooseRebuilds(_ fills: Set<String>, _ keepsOld: Bool) {
    for index in moves.indices {
      guard moves[index].source != nil else {
        moves[index].isRebuilt = true
        continue
      }
      let isFilled = moves[index].entities.contains { pair in
        fills.contains { $0.hasPrefix("\(pair.new.name).") }
      }
      moves[index].isRebuilt = keepsOld || isFilled || !moves[index].canStay(tableNames)
    }
    // A table that stays follows the renaming of tables that stay, and of no others.
    var isSettled = false
    while !isSettled {
      isSettled = true
      let rebuilt = Set(moves.filter(\.isRebuilt).compactMap { $0.source?.name })
      for index in moves.indices where !moves[index].isRebuilt {
        let targets = moves[index].source?.columns.compactMap { $0.reference?.table } ?? []
        guard targets.contains(where: { rebuilt.contains($0) && tableNames[$0] != $0 }) else { continue }
        moves[index].isRebuilt = true
        isSettled = false
      }
    }
  }
}
