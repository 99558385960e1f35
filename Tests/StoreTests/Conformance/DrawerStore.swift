import Foundation
import TestStores
import Trellis

/// An in-memory store of snapshots. Equal configurations share their contents.
struct DrawerConfiguration: DataStoreConfiguration {
  typealias Store = DrawerStore

  final class Drawer {
    var table = SnapshotTable<DefaultSnapshot>()
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
    try drawer.table.fetch(request)
  }

  private var drawer: DrawerConfiguration.Drawer { configuration.drawer }

  func save(
    _ request: DataStoreSaveChangesRequest<DefaultSnapshot>
  ) throws -> DataStoreSaveChangesResult<DefaultSnapshot> {
    struct Stuck: Error {}
    if drawer.isStuck, configuration.fault != .savesHalfWhenItFails { throw Stuck() }
    let remapped = try drawer.table.identifiers(for: request.inserted, in: identifier)
    for snapshot in request.inserted { try keep(snapshot, remapped) }
    if drawer.isStuck { throw Stuck() }
    for snapshot in request.updated { try keep(snapshot, remapped) }
    for snapshot in request.deleted { drawer.table.rows[snapshot.persistentIdentifier] = nil }
    return DataStoreSaveChangesResult(for: identifier, remappedIdentifiers: remapped)
  }

  private func keep(_ snapshot: DefaultSnapshot, _ remapped: [PersistentIdentifier: PersistentIdentifier]) throws {
    let row = drawer.table.permanent(snapshot, remapped)
    let former = drawer.table.rows[row.persistentIdentifier]
    drawer.table.rows[row.persistentIdentifier] = try spoiled(row, former)
  }

  /// Returns the snapshot as the fault modifies it.
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
