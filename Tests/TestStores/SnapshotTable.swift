import Foundation
public import Trellis

/// The in-memory rows of a custom store, for stores that test something other than row storage.
///
///     private var table = SnapshotTable<DefaultSnapshot>()
///
///     func fetch<T: PersistentModel>(
///       _ request: DataStoreFetchRequest<T>
///     ) throws -> DataStoreFetchResult<T, DefaultSnapshot> { try table.fetch(request) }
///
///     func save(
///       _ request: DataStoreSaveChangesRequest<DefaultSnapshot>
///     ) throws -> DataStoreSaveChangesResult<DefaultSnapshot> { try table.save(request, in: identifier) }
public struct SnapshotTable<Snapshot: DataStoreSnapshot> {
  /// The kinds of primary keys that a table assigns.
  public enum Keys {
    /// 1, 2, 3, counted across all entities.
    case numbers
    /// `row 1`, `row 2`, `row 3`.
    case texts
    case uuids
  }

  public typealias Remapping = [PersistentIdentifier: PersistentIdentifier]

  public var rows: [PersistentIdentifier: Snapshot]
  private let keys: Keys
  /// False to store references to inserted models unchanged from the request, with temporary identifiers.
  private let remapsReferences: Bool
  private var lastKey = 0

  public init(_ rows: [PersistentIdentifier: Snapshot] = [:], keys: Keys = .uuids, remapsReferences: Bool = true) {
    self.rows = rows
    self.keys = keys
    self.remapsReferences = remapsReferences
  }

  /// The rows in identifier order.
  public var snapshots: [Snapshot] { rows.keys.sorted().compactMap { rows[$0] } }

  /// Returns the rows of all entities and leaves predicates and order to the context.
  ///
  /// - Throws: `DataStoreError.preferInMemoryFilter` for a predicate, `.preferInMemorySort` for an order.
  public func fetch<T: PersistentModel>(
    _ request: DataStoreFetchRequest<T>, sendsRelated: Bool = false
  ) throws -> DataStoreFetchResult<T, Snapshot> {
    try Self.refuse(request)
    return DataStoreFetchResult(
      descriptor: request.descriptor, fetchedSnapshots: snapshots, relatedSnapshots: sendsRelated ? rows : [:])
  }

  /// Leaves predicates and order to the context.
  ///
  /// - Throws: `DataStoreError.preferInMemoryFilter` for a predicate, `.preferInMemorySort` for an order.
  public static func refuse<T: PersistentModel>(_ request: DataStoreFetchRequest<T>) throws {
    if request.descriptor.predicate != nil { throw DataStoreError.preferInMemoryFilter }
    if !request.descriptor.sortBy.isEmpty { throw DataStoreError.preferInMemorySort }
  }

  /// Applies a request.
  ///
  /// - Parameter store: The store's identifier.
  /// - Throws: Errors from `PersistentIdentifier.identifier(for:entityName:primaryKey:)`.
  public mutating func save(
    _ request: DataStoreSaveChangesRequest<Snapshot>, in store: String
  ) throws -> DataStoreSaveChangesResult<Snapshot> {
    let remapped = try identifiers(for: request.inserted, in: store)
    apply(request, remapped)
    return DataStoreSaveChangesResult(for: store, remappedIdentifiers: remapped)
  }

  /// The permanent identifiers of inserted rows, by temporary identifier.
  ///
  /// - Throws: Errors from `PersistentIdentifier.identifier(for:entityName:primaryKey:)`.
  public mutating func identifiers(for inserted: [Snapshot], in store: String) throws -> Remapping {
    var remapped: Remapping = [:]
    for temporary in inserted.map(\.persistentIdentifier) {
      lastKey += 1
      let entity = temporary.entityName
      remapped[temporary] =
        switch keys {
        case .numbers: try .identifier(for: store, entityName: entity, primaryKey: lastKey)
        case .texts: try .identifier(for: store, entityName: entity, primaryKey: "row \(lastKey)")
        case .uuids: try .identifier(for: store, entityName: entity, primaryKey: UUID())
        }
    }
    return remapped
  }

  /// Inserts, updates and deletes rows.
  public mutating func apply(_ request: DataStoreSaveChangesRequest<Snapshot>, _ remapped: Remapping) {
    for snapshot in request.inserted + request.updated {
      let row = permanent(snapshot, remapped)
      rows[row.persistentIdentifier] = row
    }
    for snapshot in request.deleted { rows[snapshot.persistentIdentifier] = nil }
  }

  /// A request's snapshot with permanent identifiers.
  public func permanent(_ snapshot: Snapshot, _ remapped: Remapping) -> Snapshot {
    snapshot.copy(
      persistentIdentifier: remapped[snapshot.persistentIdentifier] ?? snapshot.persistentIdentifier,
      remappedIdentifiers: remapsReferences ? remapped : nil)
  }
}
