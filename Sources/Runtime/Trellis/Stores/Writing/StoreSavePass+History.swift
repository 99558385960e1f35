/// Records a save in the history.
extension StoreSavePass {
  /// Writes the row of the history as the last part of the transaction, unless nothing was changed.
  func writeHistory() throws {
    guard let log = history else {
      // The context has turned recording off. Readers of the history learn that changes are missing.
      guard let log = store.history, !request.isTimeless else { return }
      historyNumber = try log.write(
        HistoryRecord(), author: request.editingState.author, id: nil, isComplete: false, connection)
      return
    }
    let author = request.editingState.author
    if record.isEmpty, merged.isEmpty, request.updated.isEmpty, request.clearedRows.isEmpty {
      // Skips the merging of changes for saves that only insert.
      guard !groups.isEmpty else { return }
      var writer = log.writer(id: historyNumber)
      try visitInsertions(log) { rows, entity in writer.writeInsertion(rows, of: entity) }
      historyNumber = try log.write(writer, author: author, id: historyNumber, connection)
      return
    }
    try visitInsertions(log) { rows, entity in record.insert(rows, of: entity) }
    try record.note(request, log, store.plans, plan: plan)
    record.settle(root: log.root)
    guard !record.isEmpty else { return }
    historyNumber = try log.write(record, author: author, id: historyNumber, connection)
  }

  /// Rows that were inserted, and the number of their entity.
  private func visitInsertions(_ log: HistoryLog, _ body: (RowRuns, Int) -> Void) throws {
    for group in groups {
      let entity = try log.number(of: group.plan.entity)
      var inserted = RowRuns()
      if merged.isEmpty, let keys = group.keys {
        inserted.append(keys)
      } else {
        for position in group.positions where !merged.contains(position) { inserted.append(rows[position]) }
      }
      body(inserted, entity)
    }
  }

  /// Records a change that the store has made to a row in addition to the request.
  ///
  /// - Parameter plan: the statements of the row's class or of a superclass.
  func noteChange(
    of row: Int64, _ plan: EntityStatements, _ columns: PropertySet, lists: PropertySet = PropertySet()
  ) throws {
    guard let history else { return }
    let identifier = PersistentIdentifier(token: plan.token, row: row)
    let definition = kept[identifier]?.buffer.definition
    let own = try definition.map { try store.plans.plan(for: $0) } ?? plan
    record.note(row, of: try history.number(of: own.entity), columns: columns, lists: lists)
  }

  /// Records deletions and writes the tombstones. Called before the rows are deleted.
  func noteDeletion(of keys: [Int64], _ plan: EntityStatements) throws {
    guard let history, !keys.isEmpty else { return }
    let entity = try history.number(of: plan.entity)
    record.delete(keys, of: entity)
    try history.partners.visit(keys, of: plan.entity.rootName, connection) { row, name, property in
      let owner = try store.plans.plan(named: name).entity
      guard let list = owner.lists.first(where: { $0.property.name == property }) else { return }
      record.note(row, of: try history.number(of: owner), columns: PropertySet(), lists: PropertySet(list.slot))
    }
    try writeTombstones(of: keys, plan)
  }

  /// Writes tombstones, unless they exist. A row that gives up a unique value before its deletion has one already.
  func writeTombstones(of keys: [Int64], _ plan: EntityStatements) throws {
    guard let history, let tombstones = plan.tombstones else { return }
    let number = try historyNumber ?? HistoryTables.next(connection)
    historyNumber = number
    try tombstones.write(
      keys.count == 1 ? .integer(keys[0]) : KeyList.text(of: keys), isOne: keys.count == 1,
      transaction: number, entity: history.number(of: plan.entity), files: store.files, connection)
  }
}

extension PropertySet {
  package init(_ slot: Int) {
    self.init()
    insert(slot)
  }

  package init(_ slots: Range<Int>) {
    self.init()
    for slot in slots { insert(slot) }
  }
}
