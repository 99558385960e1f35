/// The changes of a transaction for contexts, which read the changed rows again.
extension HistoryDecoder {
  /// - Returns: the changes and the classes of the changed models; nil if the transaction does not name all changes, or
  ///   cannot be read.
  package func commit(_ reader: inout HistoryReader) -> (commit: Commit, definitions: [ModelDefinition])? {
    guard !reader.flags.contains(.isIncomplete) else { return nil }
    var commit = Commit()
    var changes = ClassChanges()
    var definitions: [ModelDefinition] = []
    do {
      while let group = try reader.next() {
        guard entities.indices ~= group.entity, let entity = entities[group.entity] else { continue }
        let definition = entity.entity.definition
        var change = ClassChange(definition)
        switch group.kind {
        case .insertion: change.comesOrGoes = true
        case .deletion:
          change.comesOrGoes = true
          for run in group.runs { commit.deleted += run.keys.map { .init(token: entity.token, row: $0) } }
        case .update:
          for slot in group.columns {
            if entity.columns.indices ~= slot, let own = entity.columns[slot] { change.columns.insert(own.slot) }
          }
          for slot in group.lists {
            if entity.lists.indices ~= slot, let own = entity.lists[slot] { change.lists.insert(own.slot) }
          }
          for run in group.runs { commit.updated += run.keys.map { .init(token: entity.token, row: $0) } }
        }
        changes.add(change)
        commit.entities.insert(definition.root.entityName)
        definitions.append(definition)
      }
    } catch {
      return nil
    }
    commit.changes = changes
    return (commit, definitions)
  }
}
