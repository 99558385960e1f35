import Synchronization

/// Decodes changes recorded under a single schema version.
package final class HistoryDecoder: Sendable {
  /// Preserved values of deleted rows, by entity number and row key.
  package typealias Tombstones = [Int: [Int64: [SQLValue]]]

  private struct Entity: Sendable {
    let definition: ModelDefinition
    let token: IdentifierToken
    /// Properties by recorded slot; `nil` if the property was removed.
    let columns: [ModelProperty?]
    let lists: [ModelProperty?]
    let tombstone: TombstoneReader

    /// Returns the updated properties that the model still has.
    func properties(_ group: HistoryGroup) -> [ModelProperty] {
      group.columns.slots.compactMap { columns.indices ~= $0 ? columns[$0] : nil }
        + group.lists.slots.compactMap { lists.indices ~= $0 ? lists[$0] : nil }
    }
  }

  /// Entities by number; `nil` if the model was removed.
  private let entities: [Entity?]

  init(_ names: HistoryNames, _ plans: StoreStatements) {
    entities = names.entities.map { recorded in
      guard let name = recorded.name, let plan = try? plans.plan(named: name) else { return nil }
      let layout = plan.entity.definition.layout
      func properties(_ names: [String?]) -> [ModelProperty?] {
        names.map { $0.flatMap(layout.property(named:)) }
      }
      return Entity(
        definition: plan.entity.definition, token: plan.token, columns: properties(recorded.columns),
        lists: properties(recorded.lists), tombstone: TombstoneReader(recorded, plan))
    }
  }

  private func entity(_ group: HistoryGroup) -> Entity? {
    entities.indices ~= group.entity ? entities[group.entity] : nil
  }

  /// Returns a transaction's changes.
  ///
  /// - Throws: ``HistoryReader/Damage``.
  func changes(
    _ reader: inout HistoryReader, of transaction: Int64, _ tombstones: Tombstones
  ) throws -> [HistoryChange] {
    var changes: [HistoryChange] = []
    while let group = try reader.next() {
      guard let entity = entity(group) else { continue }
      append(group, of: transaction, entity, tombstones, to: &changes, entity.definition.modelType)
    }
    return changes
  }

  private func append<M: PersistentModel>(
    _ group: HistoryGroup, of transaction: Int64, _ entity: Entity, _ tombstones: Tombstones,
    to changes: inout [HistoryChange], _: M.Type
  ) {
    let paths = entity.properties(group).compactMap { $0.path(of: M.self) }
    if group.kind == .update, paths.isEmpty { return }
    for row in group.rows.keys {
      let identifier = PersistentIdentifier(token: entity.token, row: row)
      let number = transaction << 32 | Int64(changes.count)
      switch group.kind {
      case .insertion:
        changes.append(
          .insert(
            DefaultHistoryInsert<M>(
              changeIdentifier: number, changedPersistentIdentifier: identifier, transactionIdentifier: transaction)))
      case .update:
        changes.append(
          .update(
            DefaultHistoryUpdate<M>(
              changeIdentifier: number, changedPersistentIdentifier: identifier, transactionIdentifier: transaction,
              updatedAttributes: paths)))
      case .deletion:
        let stored = tombstones[group.entity]?[row]
        changes.append(
          .delete(
            DefaultHistoryDelete<M>(
              changeIdentifier: number, changedPersistentIdentifier: identifier, transactionIdentifier: transaction,
              tombstone: entity.tombstone.tombstone(stored, row: row))))
      }
    }
  }

  /// Returns a transaction's changes for contexts, which reread the changed rows.
  ///
  /// - Returns: `nil` if the transaction is incomplete or unreadable.
  func commit(_ reader: inout HistoryReader) -> Commit? {
    guard !reader.flags.contains(.isIncomplete) else { return nil }
    var commit = Commit()
    do {
      while let group = try reader.next() {
        guard let entity = entity(group) else { continue }
        let definition = entity.definition
        func identifiers() -> [PersistentIdentifier] {
          group.rows.keys.map { PersistentIdentifier(token: entity.token, row: $0) }
        }
        switch group.kind {
        case .insertion: commit.changes.addComingOrGoing(definition)
        case .deletion:
          commit.changes.addComingOrGoing(definition)
          commit.deleted += identifiers()
        case .update:
          for property in entity.properties(group) { commit.changes.add(ClassChange(definition, property)) }
          commit.updated += identifiers()
        }
      }
    } catch {
      return nil
    }
    return commit
  }
}

/// A store's decoders by schema version. Each is created when the first transaction of that version is read.
package final class HistoryDecoders: Sendable {
  private let decoders = Mutex<[Int: HistoryDecoder]>([:])

  package init() {}

  /// - Parameter names: Returns a version's recorded names; `nil` if the store has none.
  package func decoder(
    _ epoch: Int, _ plans: StoreStatements, names: (Int) throws -> HistoryNames?
  ) rethrows -> HistoryDecoder? {
    if let known = decoders.withLock({ $0[epoch] }) { return known }
    guard let decoder = try names(epoch).map({ HistoryDecoder($0, plans) }) else { return nil }
    decoders.withLock { $0[epoch] = decoder }
    return decoder
  }
}
