import Synchronization

/// Reads the changes that were recorded under one version of the schema.
package final class HistoryDecoder: Sendable {
  package struct Entity: Sendable {
    package let entity: EntityLayout
    package let token: IdentifierToken
    let maker: HistoryChangeMaker
    /// By slot of that time; nil for what is gone.
    package let columns: [ModelProperty?]
    package let lists: [ModelProperty?]
    package let tombstone: TombstoneReader
  }

  /// By number; nil for models that are gone.
  package let entities: [Entity?]

  package init(_ names: HistoryNames, _ plans: StoreStatements) {
    entities = names.entities.map { recorded in
      guard let name = recorded.name, let plan = try? plans.plan(named: name) else { return nil }
      let layout = plan.entity.definition.layout
      func properties(_ names: [String?]) -> [ModelProperty?] {
        names.map { $0.flatMap(layout.property(named:)) }
      }
      return Entity(
        entity: plan.entity, token: plan.token, maker: .of(plan.entity.definition),
        columns: properties(recorded.columns), lists: properties(recorded.lists),
        tombstone: TombstoneReader(recorded, plan))
    }
  }

  /// Appends the changes of a group.
  package func read(
    _ group: HistoryReader.Group, of transaction: Int64,
    _ tombstones: [TombstoneReader.Key: [SQLValue]], into changes: inout [HistoryChange]
  ) throws {
    guard entities.indices ~= group.entity, let entity = entities[group.entity] else { return }
    let properties =
      group.columns.compactMap { entity.columns.indices ~= $0 ? entity.columns[$0] : nil }
      + group.lists.compactMap { entity.lists.indices ~= $0 ? entity.lists[$0] : nil }
    if group.kind == .update, properties.isEmpty { return }
    for run in group.runs {
      for row in run.keys {
        let place = HistoryPlace(
          identifier: PersistentIdentifier(token: entity.token, row: row),
          change: transaction << 32 | Int64(changes.count), transaction: transaction)
        let change: HistoryChange? =
          switch group.kind {
          case .insertion: entity.maker.insertion(place)
          case .update: entity.maker.update(place, of: properties)
          case .deletion:
            entity.maker.deletion(
              place,
              entity.tombstone.values(tombstones[.init(entity: group.entity, row: row)], row: row))
          }
        if let change { changes.append(change) }
      }
    }
  }
}

/// The decoders of a store, each made when a transaction of its version is first read.
final class HistoryNameCache: Sendable {
  private let decoders = Mutex<[Int: HistoryDecoder]>([:])

  /// - Returns: nil where the store does not say what the changes mean.
  func decoder(
    _ epoch: Int, _ plans: StoreStatements, _ connection: Connection
  ) throws -> HistoryDecoder? {
    if let known = decoders.withLock({ $0[epoch] }) { return known }
    guard let names = try HistoryNames.all(connection).first(where: { $0.epoch == epoch })?.names
    else { return nil }
    let made = HistoryDecoder(names, plans)
    decoders.withLock { $0[epoch] = made }
    return made
  }
}
