import Foundation
import TestStores
import Trellis

/// A handwritten snapshot that reads backing data, by kind of value.
struct PlainSnapshot: DataStoreSnapshot {
  /// True to encode integers as floating-point numbers.
  @TaskLocal static var writesReals = false

  var persistentIdentifier: PersistentIdentifier
  var texts: [String: String] = [:]
  var numbers: [String: Int] = [:]
  var reals: [String: Double] = [:]
  var dates: [String: Date] = [:]
  var references: [String: PersistentIdentifier] = [:]
  var lists: [String: [PersistentIdentifier]] = [:]

  init(
    from backingData: any BackingData,
    relatedBackingDatas: inout [PersistentIdentifier: any BackingData]
  ) {
    persistentIdentifier = backingData.persistentModelID!
    if let data = backingData as? any BackingData<ReelSeries> {
      numbers["episodes"] = data.getValue(forKey: \.episodes)
      texts["title"] = data.getValue(forKey: \.title)
      numbers["year"] = data.getValue(forKey: \.year)
      reals["rating"] = data.getValue(forKey: \.rating)
      dates["premiere"] = data.getValue(forKey: \.premiere)
      references["studio"] = identifier(data.getValue(forKey: \.studio))
      references["remake"] = identifier(data.getValue(forKey: \.remake))
      references["original"] = identifier(data.getValue(forKey: \.original))
      lists["scenes"] = identifiers(data.getValue(forKey: \.scenes))
      lists["tags"] = identifiers(data.getValue(forKey: \.tags))
    } else if let data = backingData as? any BackingData<ReelFilm> {
      texts["title"] = data.getValue(forKey: \.title)
      numbers["year"] = data.getValue(forKey: \.year)
      reals["rating"] = data.getValue(forKey: \.rating)
      dates["premiere"] = data.getValue(forKey: \.premiere)
      references["studio"] = identifier(data.getValue(forKey: \.studio))
      references["remake"] = identifier(data.getValue(forKey: \.remake))
      references["original"] = identifier(data.getValue(forKey: \.original))
      lists["scenes"] = identifiers(data.getValue(forKey: \.scenes))
      lists["tags"] = identifiers(data.getValue(forKey: \.tags))
    } else if let data = backingData as? any BackingData<ReelStudio> {
      texts["name"] = data.getValue(forKey: \.name)
      numbers["founded"] = data.getValue(forKey: \.founded)
      lists["films"] = identifiers(data.getValue(forKey: \.films))
      lists["contracts"] = identifiers(data.getValue(forKey: \.contracts))
    } else if let data = backingData as? any BackingData<ReelContract> {
      texts["name"] = data.getValue(forKey: \.name)
      references["studio"] = identifier(data.getValue(forKey: \.studio))
    } else if let data = backingData as? any BackingData<ReelScene> {
      texts["text"] = data.getValue(forKey: \.text)
      references["film"] = identifier(data.getValue(forKey: \.film))
    } else if let data = backingData as? any BackingData<ReelTag> {
      texts["word"] = data.getValue(forKey: \.word)
      lists["films"] = identifiers(data.getValue(forKey: \.films))
      lists["panels"] = identifiers(data.getValue(forKey: \.panels) ?? [])
    } else if let data = backingData as? any BackingData<ReelPanel> {
      texts["name"] = data.getValue(forKey: \.name)
      lists["tags"] = identifiers(data.getValue(forKey: \.tags))
    }
  }

  private func identifier<M: PersistentModel>(_ model: M?) -> PersistentIdentifier? {
    model?.persistentModelID
  }

  private func identifiers<M: PersistentModel>(_ models: [M]) -> [PersistentIdentifier] {
    models.map(\.persistentModelID)
  }

  func copy(
    persistentIdentifier: PersistentIdentifier,
    remappedIdentifiers: [PersistentIdentifier: PersistentIdentifier]?
  ) -> PlainSnapshot {
    let map = remappedIdentifiers ?? [:]
    var copy = self
    copy.persistentIdentifier = persistentIdentifier
    copy.references = references.mapValues { map[$0] ?? $0 }
    copy.lists = lists.mapValues { $0.map { map[$0] ?? $0 } }
    return copy
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: DataStoreSnapshotCodingKey.self)
    try container.encode(persistentIdentifier, forKey: .persistentIdentifier)
    for (name, value) in texts { try container.encode(value, forKey: .modeledProperty(name)) }
    for (name, value) in numbers {
      let key = DataStoreSnapshotCodingKey.modeledProperty(name)
      if Self.writesReals {
        try container.encode(Double(value), forKey: key)
      } else {
        try container.encode(value, forKey: key)
      }
    }
    for (name, value) in reals { try container.encode(value, forKey: .modeledProperty(name)) }
    for (name, value) in dates { try container.encode(value, forKey: .modeledProperty(name)) }
    for (name, value) in references { try container.encode(value, forKey: .modeledProperty(name)) }
    for (name, value) in lists { try container.encode(value, forKey: .modeledProperty(name)) }
  }

  /// Not used: the store keeps the snapshots themselves.
  init(from decoder: any Decoder) throws { throw DataStoreError.unsupportedFeature }
}

/// A store of custom snapshots in insertion order.
final class PlainStore: DataStore {
  struct Configuration: DataStoreConfiguration {
    typealias Store = PlainStore

    var name = UUID().uuidString
    var schema: Schema?

    static func == (lhs: Self, rhs: Self) -> Bool { lhs.name == rhs.name }
    func hash(into hasher: inout Hasher) { hasher.combine(name) }
  }

  typealias Snapshot = PlainSnapshot

  let configuration: Configuration
  let schema: Schema
  var identifier: String { configuration.name }
  private var table = SnapshotTable<PlainSnapshot>(keys: .texts)

  init(_ configuration: Configuration, migrationPlan: (any SchemaMigrationPlan.Type)?) throws {
    self.configuration = configuration
    schema = configuration.schema ?? Schema([])
  }

  func fetch<T: PersistentModel>(
    _ request: DataStoreFetchRequest<T>
  ) throws -> DataStoreFetchResult<T, PlainSnapshot> {
    try table.fetch(request)
  }

  func save(
    _ request: DataStoreSaveChangesRequest<PlainSnapshot>
  ) throws -> DataStoreSaveChangesResult<PlainSnapshot> {
    try table.save(request, in: identifier)
  }
}
