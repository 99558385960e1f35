import Foundation
import Synchronization
import Trellis

/// A store with one fault. A default store contains its models, which it reads as snapshots.
struct MutantConfiguration: DataStoreConfiguration {
  typealias Store = MutantStore

  /// The state that equal configurations share.
  final class Place {
    var engine: DefaultStore?
    var isBroken = false
    /// The first snapshots of each model.
    var first: [PersistentIdentifier: DefaultSnapshot] = [:]
  }

  var name = "mutant"
  var schema: Schema?
  let fault: Fault?
  let place = Place()

  init(_ fault: Fault?) { self.fault = fault }

  static func == (lhs: Self, rhs: Self) -> Bool { lhs.place === rhs.place }
  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(place)) }
}

/// The possible faults of a store.
enum Fault: String, CaseIterable {
  case forgetsDeletions, forgetsUpdates, forgetsErasing, forgetsPartOfALargeSave
  case savesHalfWhenItFails, saysItSavedWhenItFailed
  case givesNoIdentifiers, mixesIdentifiersUp, hasAnotherIdentifier
  case limitsBeforeItFilters, ignoresTheOffset, ignoresTheOrder, ignoresTheSecondKey
  case ignoresTheFilter, findsOneTwice, returnsStaleRows
  case losesSubclasses, dropsReferences
  case countsWithoutFilter, identifiesWithoutOrder, identifiesWithoutFilter
  case hasStaleSnapshotsAtHand, keepsDeletedSnapshotsAtHand
  case roundsDates, roundsIntegers, normalisesText, cutsText, takesEmptyForNil, takesNilForEmpty
}

final class MutantStore: DataStore {
  typealias Configuration = MutantConfiguration
  typealias Snapshot = DefaultSnapshot

  let configuration: MutantConfiguration
  private let engine: DefaultStore
  private var place: MutantConfiguration.Place { configuration.place }
  private var fault: Fault? { configuration.fault }

  var identifier: String { fault == .hasAnotherIdentifier ? "another" : engine.identifier }
  var schema: Schema { engine.schema }
  var enforcesUniqueConstraints: Bool { true }
  var appliesFetchOffset: Bool { true }

  init(_ configuration: MutantConfiguration, migrationPlan: (any SchemaMigrationPlan.Type)?) throws {
    self.configuration = configuration
    if let open = configuration.place.engine {
      engine = open
    } else {
      var memory = ModelConfiguration(isStoredInMemoryOnly: true)
      memory.schema = configuration.schema
      engine = try DefaultStore(memory)
      configuration.place.engine = engine
    }
  }

  // MARK: Queries

  func fetch<T: PersistentModel>(
    _ request: DataStoreFetchRequest<T>
  ) throws -> DataStoreFetchResult<T, DefaultSnapshot> {
    var found = try snapshots(request)
    switch fault {
    case .findsOneTwice: found += found.prefix(1)
    case .losesSubclasses:
      if "\(T.self)" == "ConformanceMedium" { found.removeAll { $0.value(named: "minutes") != nil } }
    case .returnsStaleRows: found = found.map(first)
    default: found = try found.map(spoiled)
    }
    return DataStoreFetchResult(descriptor: request.descriptor, fetchedSnapshots: found)
  }

  private func snapshots<T: PersistentModel>(
    _ request: DataStoreFetchRequest<T>
  ) throws -> [DefaultSnapshot] {
    guard fault == .limitsBeforeItFilters, request.descriptor.predicate != nil,
      request.descriptor.fetchLimit != nil
    else { return try engine.fetch(changed(request, forFetch: true)).fetchedSnapshots }
    let early = Set(
      try engine.fetchIdentifiers(changed(request) { $0.predicate = nil }))
    return try engine.fetch(changed(request) { $0.fetchLimit = nil }).fetchedSnapshots
      .filter { early.contains($0.persistentIdentifier) }
  }

  private func changed<T>(
    _ request: DataStoreFetchRequest<T>, forFetch: Bool = false,
    _ change: (inout FetchDescriptor<T>) -> Void = { _ in }
  ) -> DataStoreFetchRequest<T> {
    var descriptor = request.descriptor
    change(&descriptor)
    switch fault {
    case .ignoresTheOffset where forFetch: descriptor.fetchOffset = nil
    case .ignoresTheOrder where forFetch: descriptor.sortBy = []
    case .ignoresTheSecondKey where forFetch: descriptor.sortBy = Array(descriptor.sortBy.prefix(1))
    case .ignoresTheFilter where forFetch: descriptor.predicate = nil
    default: break
    }
    return DataStoreFetchRequest(descriptor: descriptor, editingState: request.editingState)
  }

  func fetchCount<T: PersistentModel>(_ request: DataStoreFetchRequest<T>) throws -> Int {
    try engine.fetchCount(
      changed(request) {
        if fault == .countsWithoutFilter { $0.predicate = nil }
      })
  }

  func fetchIdentifiers<T: PersistentModel>(
    _ request: DataStoreFetchRequest<T>
  ) throws -> [PersistentIdentifier] {
    try engine.fetchIdentifiers(
      changed(request) {
        if fault == .identifiesWithoutOrder { $0.sortBy = [] }
        if fault == .identifiesWithoutFilter { $0.predicate = nil }
      })
  }

  func cachedSnapshots(
    for persistentIdentifiers: [PersistentIdentifier], editingState: EditingState
  ) throws -> [PersistentIdentifier: DefaultSnapshot] {
    let found = try engine.cachedSnapshots(for: persistentIdentifiers, editingState: editingState)
    switch fault {
    case .hasStaleSnapshotsAtHand: return found.mapValues(first)
    case .keepsDeletedSnapshotsAtHand:
      _ = found.mapValues(first)
      return place.first.filter { persistentIdentifiers.contains($0.key) }
    case .returnsStaleRows: return [:]
    default: return try found.mapValues(spoiled)
    }
  }

  private func first(_ snapshot: DefaultSnapshot) -> DefaultSnapshot {
    let identifier = snapshot.persistentIdentifier
    if place.first[identifier] == nil { place.first[identifier] = snapshot }
    return place.first[identifier] ?? snapshot
  }

  // MARK: Changes

  func save(
    _ request: DataStoreSaveChangesRequest<DefaultSnapshot>
  ) throws -> DataStoreSaveChangesResult<DefaultSnapshot> {
    struct Broken: Error {}
    if place.isBroken {
      if fault == .savesHalfWhenItFails {
        _ = try engine.save(part(of: request, updated: [], deleted: request.deleted, inserted: []))
      }
      if fault != .saysItSavedWhenItFailed { throw Broken() }
      return try engine.save(part(of: request, updated: [], deleted: []))
    }
    switch fault {
    case .forgetsDeletions:
      return try engine.save(part(of: request, updated: request.updated, deleted: []))
    case .forgetsUpdates:
      return try engine.save(part(of: request, updated: [], deleted: request.deleted))
    case .forgetsPartOfALargeSave where request.inserted.count > 500:
      let result = try engine.save(request)
      let lost = try engine.cachedSnapshots(
        for: Array(result.remappedIdentifiers.values.prefix(3)), editingState: request.editingState)
      _ = try engine.save(
        part(of: request, updated: [], deleted: Array(lost.values), inserted: []))
      return result
    default:
      let result = try engine.save(request)
      var remapped = result.remappedIdentifiers
      if fault == .givesNoIdentifiers { remapped = [:] }
      if fault == .mixesIdentifiersUp, remapped.count > 1 {
        let keys = remapped.keys.filter { $0.entityName == remapped.keys.first?.entityName }
        for (key, value) in zip(keys, keys.dropFirst().compactMap { result.remappedIdentifiers[$0] }) {
          remapped[key] = value
        }
        if let last = keys.last, let first = keys.first {
          remapped[last] = result.remappedIdentifiers[first]
        }
      }
      return DataStoreSaveChangesResult(
        for: identifier, remappedIdentifiers: remapped,
        snapshotsToReregister: result.snapshotsToReregister)
    }
  }

  private func part(
    of request: DataStoreSaveChangesRequest<DefaultSnapshot>, updated: [DefaultSnapshot],
    deleted: [DefaultSnapshot], inserted: [DefaultSnapshot]? = nil
  ) -> DataStoreSaveChangesRequest<DefaultSnapshot> {
    DataStoreSaveChangesRequest(
      inserted: inserted ?? request.inserted, updated: updated, deleted: deleted,
      editingState: request.editingState)
  }

  func erase() throws {
    if fault != .forgetsErasing { try engine.erase() }
  }

  // MARK: Values

  /// Returns the snapshot as the fault modifies it.
  private func spoiled(_ snapshot: DefaultSnapshot) throws -> DefaultSnapshot {
    guard let fault, Self.spoiling.contains(fault) else { return snapshot }
    let coded = try JSONEncoder.bounded.encode(snapshot)
    guard var values = try JSONSerialization.jsonObject(with: coded) as? [String: Any] else {
      return snapshot
    }
    fault.spoil(&values)
    return try JSONDecoder.bounded.decode(
      DefaultSnapshot.self, from: JSONSerialization.data(withJSONObject: values))
  }

  private static let spoiling: Set<Fault> = [
    .dropsReferences, .roundsDates, .roundsIntegers, .normalisesText, .cutsText,
    .takesEmptyForNil, .takesNilForEmpty,
  ]
}

extension Fault {
  fileprivate func spoil(_ values: inout [String: Any]) {
    switch self {
    case .dropsReferences: values["author"] = nil
    case .roundsDates: if let date = values["date"] as? Double { values["date"] = date.rounded(.down) }
    case .roundsIntegers: if let int = values["int"] as? Int { values["int"] = int & ~1 }
    case .normalisesText:
      if let text = values["text"] as? String {
        values["text"] = text.precomposedStringWithCanonicalMapping
      }
    case .cutsText: if let text = values["text"] as? String { values["text"] = String(text.prefix(255)) }
    case .takesEmptyForNil: if values["key"] != nil, values["maybeText"] == nil { values["maybeText"] = "" }
    case .takesNilForEmpty: if values["maybeText"] as? String == "" { values["maybeText"] = nil }
    default: break
    }
  }
}

extension JSONEncoder {
  fileprivate static var bounded: JSONEncoder {
    let encoder = JSONEncoder()
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    return encoder
  }
}

extension JSONDecoder {
  fileprivate static var bounded: JSONDecoder {
    let decoder = JSONDecoder()
    decoder.nonConformingFloatDecodingStrategy = .convertFromString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    return decoder
  }
}
