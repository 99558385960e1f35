public import Foundation

/// A request for models.
///
/// Contexts send requests. A test can send a request to a store that belongs to no container:
///
/// ```swift
/// let configuration = MemoryConfiguration(name: "test", schema: Schema(Trip.self))
/// let store = MemoryStore(configuration, migrationPlan: nil)
/// let request = DataStoreFetchRequest(descriptor: FetchDescriptor<Trip>(), editingState: EditingState())
/// print(try store.fetch(request).fetchedSnapshots.count)  // 0
/// ```
public struct DataStoreFetchRequest<T: PersistentModel>: Sendable {
  /// The models to fetch and the sort order.
  public let descriptor: FetchDescriptor<T>
  /// The context that sends the request.
  public let editingState: EditingState

  /// Creates a request. Unlike in SwiftData, the initializer is public, so that stores can be called directly.
  ///
  /// - Parameters:
  ///   - descriptor: The models to fetch and the sort order.
  ///   - editingState: The context that sends the request, or a new state if no context does.
  public init(descriptor: FetchDescriptor<T>, editingState: EditingState) {
    self.descriptor = descriptor
    self.editingState = editingState
  }
}

/// A request to write a save's changes.
///
/// Inserted snapshots have temporary identifiers and refer to each other by these identifiers, in any order and with
/// cycles. All other snapshots refer to permanent identifiers or to inserted snapshots.
///
/// A store that wraps another store can read the request before forwarding it:
///
/// ```swift
/// let base = try DefaultStore(ModelConfiguration(schema: Schema(Trip.self), url: url))
///
/// func save(
///   _ request: DataStoreSaveChangesRequest<DefaultSnapshot>
/// ) throws -> DataStoreSaveChangesResult<DefaultSnapshot> {
///   print(request.editingState.author ?? "app", "inserts", request.inserted.count, "models")
///   for snapshot in request.deleted { print("deletes", snapshot[\Trip.name] ?? "a model") }
///   return try base.save(request)
/// }
/// ```
public struct DataStoreSaveChangesRequest<SnapshotType: DataStoreSnapshot>: Sendable {
  /// The new models, with temporary identifiers.
  public let inserted: [SnapshotType]
  /// The changed models.
  public let updated: [SnapshotType]
  /// The deleted models with the last known values.
  public let deleted: [SnapshotType]
  /// The context that sends the request.
  public let editingState: EditingState
  /// Rows to delete that have no registered object. Only stores that find such rows themselves receive them.
  package var deletedRows: [DeletedRows.Group] = []
  /// True if the history must not record the save.
  package var isTimeless = false
  /// True if new models overwrite rows with equal unique values, regardless of the constraints' conflict policies.
  package var overwritesConflicts = false
  /// True if the save fails where it would merge a new model with a row that has equal unique values.
  package var refusesMerges = false
  /// The values that the context read before it changed the updated models, at the same positions as `updated`. Empty
  /// if the conflict policy needs no comparison.
  package var committed: [FormerRow?] = []
  /// The references that the store clears because of deletions. They are recorded in the history.
  package var clearedRows: [DeletedRows.Cleared] = []

  /// Creates a request. Unlike in SwiftData, the initializer is public, so that stores can be called directly.
  ///
  /// - Parameters:
  ///   - inserted: The new models, with temporary identifiers.
  ///   - updated: The changed models, with all values.
  ///   - deleted: The deleted models with the last known values.
  ///   - editingState: The context that sends the request, or a new state if no context does.
  public init(
    inserted: [SnapshotType], updated: [SnapshotType], deleted: [SnapshotType],
    editingState: EditingState
  ) {
    self.inserted = inserted
    self.updated = updated
    self.deleted = deleted
    self.editingState = editingState
  }
}

/// A request to delete by predicate.
///
/// A store that cannot evaluate predicates decides by the class whether the request includes a model:
///
/// ```swift
/// func includes<T: PersistentModel>(
///   _ snapshot: DefaultSnapshot, in request: DataStoreBatchDeleteRequest<T>
/// ) throws -> Bool {
///   guard request.predicate == nil else { throw DataStoreError.preferInMemoryFilter }
///   guard let type = snapshot.modelType else { return false }
///   return request.includeSubclasses ? type is T.Type : type == T.self
/// }
/// ```
///
/// ``DataStoreBatching`` shows a store that receives requests.
public struct DataStoreBatchDeleteRequest<T: PersistentModel>: Sendable {
  /// The predicate that selects the models to delete; nil deletes all models of the type.
  public let predicate: Predicate<T>?
  /// True if subclass models are deleted as well.
  public let includeSubclasses: Bool
  /// The context that sends the request.
  public let editingState: EditingState

  /// Creates a request. Unlike in SwiftData, the initializer is public, so that stores can be called directly.
  ///
  /// - Parameters:
  ///   - predicate: The predicate that selects the models to delete; nil for all models of the type.
  ///   - includeSubclasses: False to keep the models of subclasses.
  ///   - editingState: The context that sends the request, or a new state if no context does.
  public init(
    predicate: Predicate<T>?, includeSubclasses: Bool = true, editingState: EditingState
  ) {
    self.predicate = predicate
    self.includeSubclasses = includeSubclasses
    self.editingState = editingState
  }
}

/// A request for a to-many relationship's members.
package struct DataStoreRelatedRequest: Sendable {
  /// Models of one entity or its subentities. All of them exist in the store.
  package var owners: [PersistentIdentifier]
  /// The entity that declares the relationship.
  package let entityName: String
  /// The index of the relationship among the entity's to-many relationships.
  package let slot: Int

  package init(owners: [PersistentIdentifier], entityName: String, slot: Int) {
    self.owners = owners
    self.entityName = entityName
    self.slot = slot
  }
}

/// The context that sends a request to a store.
///
/// A store that records changes takes the author from the request:
///
/// ```swift
/// func log(_ change: String, by editingState: EditingState) {
///   guard editingState.recordsHistory else { return }
///   print("\(editingState.author ?? "app"): \(change)")
/// }
/// log("2 trips", by: EditingState(author: "import"))  // import: 2 trips
/// ```
public struct EditingState: Identifiable, Hashable, Sendable {
  /// The context identifier, equal in all requests from the same context.
  public let id: UUID
  /// The author that the history records for the context's changes.
  public var author: String?
  /// True if the store's history records the context's changes. Not in SwiftData.
  public var recordsHistory = true

  /// Creates an editing state. Unlike in SwiftData, the initializer is public, so that stores can be called directly.
  ///
  /// - Parameters:
  ///   - id: The context identifier.
  ///   - author: The author that the history records; nil for none.
  public init(id: UUID = .unique(), author: String? = nil) {
    self.id = id
    self.author = author
  }
}

// MARK: Results

/// A fetch result.
///
/// The following `fetch` of a custom store decodes all models from a file, and the context filters and sorts them:
///
/// ```swift
/// func fetch<T: PersistentModel>(
///   _ request: DataStoreFetchRequest<T>
/// ) throws -> DataStoreFetchResult<T, DefaultSnapshot> {
///   if request.descriptor.predicate != nil { throw DataStoreError.preferInMemoryFilter }
///   if !request.descriptor.sortBy.isEmpty { throw DataStoreError.preferInMemorySort }
///   let all = try JSONDecoder().decode([DefaultSnapshot].self, from: Data(contentsOf: url))
///   return DataStoreFetchResult(
///     descriptor: request.descriptor, fetchedSnapshots: all.filter { $0.modelType is T.Type })
/// }
/// ```
public struct DataStoreFetchResult<ModelType: PersistentModel, SnapshotType: DataStoreSnapshot>:
  Sendable
{
  /// The request's descriptor.
  public let descriptor: FetchDescriptor<ModelType>
  /// Snapshots of the matching models, in order.
  public let fetchedSnapshots: [SnapshotType]
  /// Snapshots of models to which the matches refer. The context does not need to fetch these models later.
  public let relatedSnapshots: [PersistentIdentifier: SnapshotType]

  /// Creates a fetch result.
  ///
  /// - Parameters:
  ///   - descriptor: The request's descriptor.
  ///   - fetchedSnapshots: Snapshots of the matching models, in order.
  ///   - relatedSnapshots: Snapshots of models to which the matches refer, by identifier.
  public init(
    descriptor: FetchDescriptor<ModelType>, fetchedSnapshots: [SnapshotType],
    relatedSnapshots: [PersistentIdentifier: SnapshotType] = [:]
  ) {
    self.descriptor = descriptor
    self.fetchedSnapshots = fetchedSnapshots
    self.relatedSnapshots = relatedSnapshots
  }
}

/// A save result.
///
/// A store returns a permanent identifier for each inserted model:
///
/// ```swift
/// extension MemoryStore {
///   func result(
///     for request: DataStoreSaveChangesRequest<DefaultSnapshot>
///   ) throws -> DataStoreSaveChangesResult<DefaultSnapshot> {
///     var permanent: [PersistentIdentifier: PersistentIdentifier] = [:]
///     for new in request.inserted.map(\.persistentIdentifier) {
///       permanent[new] = try .identifier(for: identifier, entityName: new.entityName, primaryKey: UUID())
///     }
///     return DataStoreSaveChangesResult(for: identifier, remappedIdentifiers: permanent)
///   }
/// }
/// ```
public final class DataStoreSaveChangesResult<T: DataStoreSnapshot>: Sendable {
  /// The saving store's identifier.
  public let storeIdentifier: String
  /// Snapshots of models that the store changed in addition to the request. The context registers the values.
  public let snapshotsToReregister: [PersistentIdentifier: T]

  /// The position in the store's history after the save; nil if the store has no history.
  public let historyToken: (any HistoryToken)?

  /// The inserted models' temporary identifiers, in the same order as `permanentIdentifiers`.
  let temporaryIdentifiers: [PersistentIdentifier]
  let permanentIdentifiers: [PersistentIdentifier]
  /// The positions of models that the store merged with an existing row or with another new model.
  package let merged: Set<Int>
  /// The positions of merged models whose values the store has ignored.
  package let ignored: Set<Int>

  /// Creates a save result.
  ///
  /// - Parameters:
  ///   - storeIdentifier: The store's ``DataStore/identifier``.
  ///   - remappedIdentifiers: The permanent identifier of each inserted model, by temporary identifier.
  ///   - snapshotsToReregister: Models that the store changed in addition to the request, for example an existing model
  ///     that received the values of a new model with an equal unique value.
  ///   - historyToken: The position in the store's history after the save; nil if the store has no history.
  public convenience init(
    for storeIdentifier: String,
    remappedIdentifiers: [PersistentIdentifier: PersistentIdentifier] = [:],
    snapshotsToReregister: [PersistentIdentifier: T] = [:],
    historyToken: (any HistoryToken)? = nil
  ) {
    self.init(
      for: storeIdentifier, temporary: Array(remappedIdentifiers.keys), permanent: Array(remappedIdentifiers.values),
      snapshotsToReregister: snapshotsToReregister, historyToken: historyToken)
  }

  /// SwiftData's initializer in 2024. The deleted identifiers are those in the request.
  @available(
    *, deprecated, message: "write 'DataStoreSaveChangesResult(for: …, remappedIdentifiers: …)'"
  )
  public convenience init(
    for storeIdentifier: String,
    remappedPersistentIdentifiers: [PersistentIdentifier: PersistentIdentifier],
    deletedIdentifiers: [PersistentIdentifier] = []
  ) {
    self.init(for: storeIdentifier, remappedIdentifiers: remappedPersistentIdentifiers)
  }

  /// Creates a result from two lists of equal length.
  package init(
    for storeIdentifier: String, temporary: [PersistentIdentifier],
    permanent: [PersistentIdentifier], merged: Set<Int> = [], ignored: Set<Int> = [],
    snapshotsToReregister: [PersistentIdentifier: T] = [:],
    historyToken: (any HistoryToken)? = nil
  ) {
    assert(temporary.count == permanent.count)
    self.historyToken = historyToken
    self.storeIdentifier = storeIdentifier
    self.temporaryIdentifiers = temporary
    self.permanentIdentifiers = permanent
    self.merged = merged
    self.ignored = ignored
    self.snapshotsToReregister = snapshotsToReregister
  }

  /// The identifiers of the rows with which inserted models were merged.
  package var mergedIdentifiers: Set<PersistentIdentifier> { Set(merged.map { permanentIdentifiers[$0] }) }

  /// The merged rows that existed before the save.
  package var overwrittenIdentifiers: Set<PersistentIdentifier> {
    guard !merged.isEmpty else { return [] }
    let new = permanentIdentifiers.indices.lazy.filter { !self.merged.contains($0) }
    return mergedIdentifiers.subtracting(new.map { self.permanentIdentifiers[$0] })
  }

  /// The permanent identifier of each inserted model, by temporary identifier. Each access creates the dictionary.
  public var remappedIdentifiers: [PersistentIdentifier: PersistentIdentifier] {
    Dictionary(zip(temporaryIdentifiers, permanentIdentifiers), uniquingKeysWith: { first, _ in first })
  }
}

extension DataStoreSaveChangesResult {
  /// Returns the result with replaced `snapshotsToReregister`.
  package func reregistering<S: DataStoreSnapshot>(_ snapshots: [PersistentIdentifier: S])
    -> DataStoreSaveChangesResult<S>
  {
    DataStoreSaveChangesResult<S>(
      for: storeIdentifier, temporary: temporaryIdentifiers, permanent: permanentIdentifiers,
      merged: merged, ignored: ignored, snapshotsToReregister: snapshots, historyToken: historyToken)
  }

  /// Returns the given models' permanent identifiers, in the same order as `temporary`.
  ///
  /// - Throws: ``SwiftDataError/invalidStoreAnswer`` if the store did not return an identifier for a model.
  package func permanentIdentifiers(
    for temporary: [PersistentIdentifier]
  ) throws -> [PersistentIdentifier] {
    if temporary == temporaryIdentifiers { return permanentIdentifiers }
    let remapped = remappedIdentifiers
    return try temporary.map { identifier in
      guard let permanent = remapped[identifier], !permanent.isTemporary else {
        throw SwiftDataError.invalidStoreAnswer.explained(
          "the store '\(storeIdentifier)' returned no permanent identifier for \(identifier): add one to "
            + "the result's 'remappedIdentifiers'")
      }
      return permanent
    }
  }
}

// MARK: Parts of models

/// The attributes to fetch if a descriptor requests only some attributes.
///
/// To-one references are always read: each is a single number, and relationship maintenance needs them. Enums, structs
/// and other app types are always read unless they are optional, because they have no placeholder value.
package final class FetchParts {
  private let names: Set<String>
  private var missing: [ObjectIdentifier: PropertySet] = [:]

  /// - Returns: Nil if the descriptor requests all attributes.
  /// - Throws: ``SwiftDataError/unsupportedKeyPath`` if a key path is not a property of the model.
  package init?<T: PersistentModel>(_ descriptor: FetchDescriptor<T>) throws {
    guard !descriptor.propertiesToFetch.isEmpty else { return nil }
    let layout = T._$definition.layout
    names = Set(
      try descriptor.propertiesToFetch.compactMap { keyPath in
        if let property = layout.property(for: keyPath) { return property.name }
        guard !ModelPaths.of(T.self).isIdentifier(keyPath) else { return nil }
        throw SwiftDataError.unsupportedKeyPath.explained(
          "\(keyPath) in 'propertiesToFetch' is not a stored property of '\(T._$definition.entityName)'")
      })
  }

  /// Returns a class's column slots that are not read.
  package func missing(of definition: ModelDefinition) -> PropertySet {
    let key = ObjectIdentifier(definition)
    if let known = missing[key] { return known }
    var slots = PropertySet()
    for property in definition.layout.columns
    where !names.contains(property.name) && property.canBeMissing { slots.insert(property.slot) }
    missing[key] = slots
    return slots
  }
}

extension ModelProperty {
  /// True if a placeholder can stand in for the value until it is read.
  fileprivate var canBeMissing: Bool {
    guard case .attribute(let type) = kind, attribute?.isTransformable != true else { return false }
    return type is any OptionalValue.Type
      || StandardValues.contains(type)
  }
}
