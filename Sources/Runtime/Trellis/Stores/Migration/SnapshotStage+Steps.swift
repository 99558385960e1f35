/// The steps of a stage over the snapshots of a store.
extension SnapshotStage {
  /// Runs what comes after the shape has changed.
  func runSteps(
    over snapshots: [DefaultSnapshot], from before: [DefaultSnapshot]
  ) throws -> [DefaultSnapshot] {
    var snapshots = snapshots
    for step in stage.steps {
      switch step.kind {
      // Part of the conversion.
      case .fill, .accept: continue
      case .dedupe(let dedupe): try checkDuplicates(dedupe, among: snapshots)
      case .custom(_, let body):
        let untouched = SnapshotShelf(before, identifier: storeIdentifier)
        let shelf = SnapshotShelf(snapshots, identifier: storeIdentifier)
        let (old, new) = (try context(untouched, self.old), try context(shelf, self.new))
        try body(MigrationRows(old: old, new: new, report: { _ in }))
        try new.save()
        snapshots = shelf.snapshots
      }
    }
    return snapshots
  }

  /// Which of two models stays is for the rows of a table to say; here somebody has to.
  private func checkDuplicates(_ dedupe: MigrationDedupe, among snapshots: [DefaultSnapshot]) throws {
    var seen: [[UniqueValue]: PersistentIdentifier] = [:]
    for snapshot in snapshots
    where snapshot.batch.definition?.isOrInherits(from: dedupe.model.entityName) == true {
      let values = try dedupe.properties.compactMap { name -> UniqueValue? in
        guard let value = snapshot.value(named: name) as? any Encodable else { return nil }
        if let reference = value as? PersistentIdentifier { return .reference(reference) }
        return try UniqueValue(value)
      }
      // Nil equals nothing.
      guard values.count == dedupe.properties.count,
        let other = seen.updateValue(snapshot.persistentIdentifier, forKey: values)
      else { continue }
      throw SwiftDataError.unknownSchema.explained(
        "\(other) and \(snapshot.persistentIdentifier) have the same "
          + "\(dedupe.properties.joined(separator: ", ")), and 'dedupe' works on a DefaultStore only: "
          + "delete one of them in a 'custom' step or stage before it")
    }
  }

  /// Gives a model the values that fills say.
  func filled(_ new: DefaultSnapshot, from old: DefaultSnapshot) throws -> DefaultSnapshot {
    var new = new
    for case .fill(let fill) in stage.steps.map(\.kind) {
      guard let own = new.batch.definition, own.isOrInherits(from: fill.new.entityName) else { continue }
      let before = RowValues(identifier: old.persistentIdentifier)
      try old.batch.write(old.index, to: before)
      let after = RowValues(identifier: new.persistentIdentifier)
      try new.batch.write(new.index, to: after)
      let given = RowValues(identifier: new.persistentIdentifier)
      var (oldRow, newRow) = (StatementRow(before), StatementRow(after))
      var row = StatementBinder(given)
      try fill.run(old: &oldRow, new: &newRow, into: &row)
      var slots = PropertySet()
      for name in fill.properties {
        if let slot = own.layout.property(named: name)?.slot, slot >= 0 { slots.insert(slot) }
      }
      after.take(slots, from: given)
      let batch = own.codec.makeBatch(capacity: 1)
      try own.codec.read(after, into: batch)
      new = DefaultSnapshot(batch: batch, index: 0)
    }
    return new
  }

  /// Whether a fill gives a property its value.
  func isFilled(_ property: String, of definition: ModelDefinition) -> Bool {
    stage.steps.contains { step in
      guard case .fill(let fill) = step.kind else { return false }
      return definition.isOrInherits(from: fill.new.entityName) && fill.properties.contains(property)
    }
  }

  /// Whether code may give values that nothing else does.
  var hasCustomSteps: Bool {
    stage.steps.contains { if case .custom = $0.kind { true } else { false } }
  }
}
