import Foundation
import Trellis

/// An in-memory store of snapshots. Equal configurations share their contents.
struct DrawerConfiguration: DataStoreConfiguration {
  typealias Store = DrawerStore

  final class Drawer {
    var snapshots: [PersistentIdentifier: DefaultSnapshot] = [:]
    /// True if saves fail.
    var isStuck = false
  }

  var name = "drawer"
  var schema: Schema?
  /// The fault of the store; nil for a correct store.
  let fault: Fault?
  let drawer = Drawer()

  /// The faults that are specific to a store of snapshots.
  enum Fault: String, CaseIterable {
    case dropsTheOrderOfLists, dropsLists, dropsReferencesToItsOwnKind, dropsPropertiesOfSubclasses
    case keepsOldReferencesWhenChanged, savesHalfWhenItFails
    case saysItKeepsUniqueValuesApart, saysItSkips
  }

  init(_ fault: Fault? = nil) { self.fault = fault }

  static func == (lhs: Self, rhs: Self) -> Bool { lhs.drawer === rhs.drawer }
  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(drawer)) }
}

final class DrawerStore: DataStore {
  typealias Configuration = DrawerConfiguration
  typealias Snapshot = DefaultSnapshot

  let configuration: DrawerConfiguration
  let schema: Schema
  let identifier = "drawer"
  var enforcesUniqueConstraints: Bool { configuration.fault == .saysItKeepsUniqueValuesApart }
  var appliesFetchOffset: Bool { configuration.fault == .saysItSkips }

  init(
    _ configuration: DrawerConfiguration, migrationPlan: (any SchemaMigrationPlan.Type)?
  ) throws {
    self.configuration = configuration
    self.schema = configuration.schema ?? Schema()
  }

  func fetch<T: PersistentModel>(
    _ request: DataStoreFetchRequest<T>
  ) throws -> DataStoreFetchResult<T, DefaultSnapshot> {
    if request.descriptor.predicate != nil { throw DataStoreError.preferInMemoryFilter }
    if !request.descriptor.sortBy.isEmpty { throw DataStoreError.preferInMemorySort }
    return DataStoreFetchResult(
      descriptor: request.descriptor, fetchedSnapshots: Array(configuration.drawer.snapshots.values))
  }

  func save(
    _ request: DataStoreSaveChangesRequest<DefaultSnapshot>
  ) throws -> DataStoreSaveChangesResult<DefaultSnapshot> {
    struct Stuck: Error {}
    if configuration.drawer.isStuck, configuration.fault != .savesHalfWhenItFails { throw Stuck() }
    var remapped: [PersistentIdentifier: PersistentIdentifier] = [:]
    for snapshot in request.inserted {
      remapped[snapshot.persistentIdentifier] = try PersistentIdentifier.identifier(
        for: identifier, entityName: snapshot.persistentIdentifier.entityName, primaryKey: UUID())
    }
    for snapshot in request.inserted {
      guard let permanent = remapped[snapshot.persistentIdentifier] else { continue }
      try keep(snapshot.copy(persistentIdentifier: permanent, remappedIdentifiers: remapped))
    }
    if configuration.drawer.isStuck { throw Stuck() }
    for snapshot in request.updated {
      try keep(
        snapshot.copy(
          persistentIdentifier: snapshot.persistentIdentifier, remappedIdentifiers: remapped))
    }
    for snapshot in request.deleted {
      configuration.drawer.snapshots[snapshot.persistentIdentifier] = nil
    }
    return DataStoreSaveChangesResult(for: identifier, remappedIdentifiers: remapped)
  }

  private func keep(_ snapshot: DefaultSnapshot) throws {
    let identifier = snapshot.persistentIdentifier
    let former = configuration.drawer.snapshots[identifier]
    configuration.drawer.snapshots[identifier] = try spoiled(snapshot, former)
  }

  /// The snapshot as the fault changes it.
  private func spoiled(_ snapshot: DefaultSnapshot, _ former: DefaultSnapshot?) throws -> DefaultSnapshot {
    guard let fault = configuration.fault else { return snapshot }
    func values(_ snapshot: DefaultSnapshot) throws -> [String: Any] {
      try JSONSerialization.jsonObject(with: JSONEncoder().encode(snapshot)) as? [String: Any] ?? [:]
    }
    var new = try values(snapshot)
    switch fault {
    case .dropsTheOrderOfLists: new["tickets"] = (new["tickets"] as? [Any]).map { Array($0.reversed()) }
    case .dropsLists:
      new["shelves"] = new["shelves"].map { _ in [Any]() }
      if new["label"] != nil { new["books"] = new["books"].map { _ in [Any]() } }
    case .dropsReferencesToItsOwnKind: new["next"] = nil
    case .dropsPropertiesOfSubclasses: new["speaker"] = nil
    case .keepsOldReferencesWhenChanged: if let former { new["author"] = try values(former)["author"] }
    case .savesHalfWhenItFails, .saysItKeepsUniqueValuesApart, .saysItSkips: return snapshot
    }
    return try JSONDecoder().decode(
      DefaultSnapshot.self, from: JSONSerialization.data(withJSONObject: new))
  }
}
