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

/// Makes the changes of one model class, whose type is known here alone.
class HistoryChangeMaker: @unchecked Sendable {  // key paths are never written
  func insertion(_ place: HistoryPlace) -> HistoryChange? { nil }
  func update(_ place: HistoryPlace, of properties: [ModelProperty]) -> HistoryChange? { nil }
  func deletion(_ place: HistoryPlace, _ values: [(property: ModelProperty, value: any Sendable)]) -> HistoryChange? {
    nil
  }

  static func of(_ definition: ModelDefinition) -> HistoryChangeMaker {
    func open<M: PersistentModel>(_: M.Type) -> HistoryChangeMaker { TypedChangeMaker<M>(definition) }
    return open(definition.modelType)
  }
}

/// Which change of which transaction it is, and of what.
package struct HistoryPlace {
  var identifier: PersistentIdentifier
  var change: Int64
  var transaction: Int64
}

private final class TypedChangeMaker<M: PersistentModel>: HistoryChangeMaker, @unchecked Sendable {  // as above
  typealias Path = any PartialKeyPath<M> & Sendable
  private let paths: [String: Path]

  init(_ definition: ModelDefinition) {
    var paths: [String: Path] = [:]
    for property in definition.layout.properties {
      guard let path = property.keyPath as? PartialKeyPath<M> else { continue }
      // Being sendable has no part at run time, so nothing can ask for it; key paths of stored
      // properties capture nothing.
      paths[property.name] = unsafeBitCast(path, to: Path.self)
    }
    self.paths = paths
  }

  override func insertion(_ place: HistoryPlace) -> HistoryChange? {
    .insert(
      DefaultHistoryInsert<M>(
        changeIdentifier: place.change, changedPersistentIdentifier: place.identifier,
        transactionIdentifier: place.transaction))
  }

  override func update(_ place: HistoryPlace, of properties: [ModelProperty]) -> HistoryChange? {
    .update(
      DefaultHistoryUpdate<M>(
        changeIdentifier: place.change, changedPersistentIdentifier: place.identifier,
        transactionIdentifier: place.transaction,
        updatedAttributes: properties.compactMap { paths[$0.name] }))
  }

  override func deletion(
    _ place: HistoryPlace, _ values: [(property: ModelProperty, value: any Sendable)]
  ) -> HistoryChange? {
    .delete(
      DefaultHistoryDelete<M>(
        changeIdentifier: place.change, changedPersistentIdentifier: place.identifier,
        transactionIdentifier: place.transaction,
        tombstone: HistoryTombstone(
          values.compactMap { property, value in
            paths[property.name].map { (keyPath: $0, value: value) }
          })))
  }
}
