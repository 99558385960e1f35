import Foundation

/// A model's values as exchanged between a context and a store.
///
/// Most stores use ``DefaultSnapshot``. A custom snapshot type must encode the identifier and the values by property
/// name, with ``DataStoreSnapshotCodingKey``: contexts read snapshots of a custom type through their encoded form. The
/// following type adds the time of the snapshot:
///
/// ```swift
/// struct TimedSnapshot: DataStoreSnapshot {
///   private var base: DefaultSnapshot
///   let time = Date()
///   var persistentIdentifier: PersistentIdentifier { base.persistentIdentifier }
///
///   init(
///     from backingData: any BackingData,
///     relatedBackingDatas: inout [PersistentIdentifier: any BackingData]
///   ) {
///     base = DefaultSnapshot(from: backingData, relatedBackingDatas: &relatedBackingDatas)
///   }
///
///   func copy(
///     persistentIdentifier: PersistentIdentifier,
///     remappedIdentifiers: [PersistentIdentifier: PersistentIdentifier]?
///   ) -> TimedSnapshot {
///     var copy = self
///     copy.base = base.copy(
///       persistentIdentifier: persistentIdentifier, remappedIdentifiers: remappedIdentifiers)
///     return copy
///   }
///
///   init(from decoder: any Decoder) throws { base = try DefaultSnapshot(from: decoder) }
///   func encode(to encoder: any Encoder) throws { try base.encode(to: encoder) }
/// }
/// ```
public protocol DataStoreSnapshot: Codable, Sendable {
  /// Reads the values from a model's storage.
  ///
  /// - Parameters:
  ///   - backingData: The model's storage.
  ///   - relatedBackingDatas: Storages of related models, by identifier. Entries that the initializer adds are ignored:
  ///     a save request contains a snapshot for every changed model.
  init(
    from backingData: any BackingData,
    relatedBackingDatas: inout [PersistentIdentifier: any BackingData])

  /// The model identifier.
  var persistentIdentifier: PersistentIdentifier { get }

  /// Returns a copy with a new identifier.
  ///
  /// - Parameters:
  ///   - persistentIdentifier: The copy's identifier.
  ///   - remappedIdentifiers: The identifiers to replace in references, with the new identifiers.
  func copy(
    persistentIdentifier: PersistentIdentifier,
    remappedIdentifiers: [PersistentIdentifier: PersistentIdentifier]?
  ) -> Self
}

/// The requirements of a snapshot's property.
public typealias DataStoreSnapshotValue = Codable & Sendable

/// A model's values as a row in a buffer.
///
/// Copies share the buffer. Values can be read by key path or by name; SwiftData's snapshots can only be encoded.
///
/// ```swift
/// func report(_ snapshot: DefaultSnapshot) {
///   let name = snapshot[\Trip.name]                   // String?
///   let wishes = snapshot[\Trip.bucketList]           // [PersistentIdentifier]?
///   let place = snapshot.value(named: "destination")  // (any Sendable)?
///   print(name ?? "", wishes?.count ?? 0, place ?? "")
/// }
/// ```
public struct DefaultSnapshot: DataStoreSnapshot {
  package let buffer: SnapshotBuffer
  package let index: Int
  /// Additional information for a save; nil in most snapshots of inserted models.
  private let notes: Notes?

  private final class Notes: Sendable {
    let changed: PropertySet?
    let differing: PropertySet?
    let changedLists: PropertySet?
    let formerMembers: [Int: [PersistentIdentifier]]
    let remapping: IdentifierRemapping?

    init(
      changed: PropertySet?, differing: PropertySet?, changedLists: PropertySet?,
      formerMembers: [Int: [PersistentIdentifier]], remapping: IdentifierRemapping?
    ) {
      self.changed = changed
      self.differing = differing
      self.changedLists = changedLists
      self.formerMembers = formerMembers
      self.remapping = remapping
    }
  }

  /// The column slots written since the last save; nil if any column may have been written.
  package var changed: PropertySet? { notes?.changed }

  /// The changed columns that differ from the last save; nil if the values were not compared.
  package var differing: PropertySet? { notes?.differing }

  /// The to-many slots whose members changed since the last save; nil if any list may have changed.
  package var changedLists: PropertySet? { notes?.changedLists }

  /// Returns the members of a changed list when it was last read, by slot; nil if unknown. A save does not remove
  /// members that another context has added since then.
  package func formerMembers(_ slot: Int) -> [PersistentIdentifier]? { notes?.formerMembers[slot] }

  /// Permanent identifiers for temporary identifiers among the references; nil unless the snapshot was copied during a
  /// save.
  var remapping: IdentifierRemapping? { notes?.remapping }

  /// Creates a snapshot of a row. The row must not be written afterwards.
  package init(
    buffer: SnapshotBuffer, index: Int, changed: PropertySet? = nil, differing: PropertySet? = nil,
    changedLists: PropertySet? = nil, formerMembers: [Int: [PersistentIdentifier]] = [:],
    remapping: IdentifierRemapping? = nil
  ) {
    self.buffer = buffer
    self.index = index
    self.notes =
      changed == nil && changedLists == nil && remapping == nil
      ? nil
      : Notes(
        changed: changed, differing: differing, changedLists: changedLists,
        formerMembers: formerMembers, remapping: remapping)
  }

  /// Creates a snapshot of another row in the same buffer, with the save information of `other`.
  package init(_ index: Int, like other: DefaultSnapshot) {
    buffer = other.buffer
    self.index = index
    notes = other.notes
  }

  /// Returns true if both snapshots share the buffer and the save information. Returns false if the information is
  /// missing, because only object identity is compared.
  @inline(__always) package func isLike(_ other: DefaultSnapshot) -> Bool {
    notes != nil && notes === other.notes && buffer === other.buffer
  }

  /// The model identifier.
  public var persistentIdentifier: PersistentIdentifier { buffer.identifier(index) }

  /// Reads the values from a model's storage.
  ///
  /// A to-many relationship that was not loaded remains unloaded.
  public init(
    from backingData: any BackingData,
    relatedBackingDatas: inout [PersistentIdentifier: any BackingData]
  ) {
    self.init(buffer: SnapshotBuffer.row(of: backingData), index: 0)
  }

  /// Returns a copy with a new identifier. References to the keys of `remappedIdentifiers` become references to the
  /// values.
  ///
  /// During a save, it is enough to copy each inserted snapshot with the permanent identifier. References among these
  /// copies are resolved when they are encoded or returned to the context. A store that keeps snapshots in memory
  /// copies the updated snapshots as well, because they can refer to inserted models.
  ///
  /// - Parameters:
  ///   - persistentIdentifier: The copy's identifier.
  ///   - remappedIdentifiers: Permanent identifiers by temporary identifier; nil or empty to copy the references
  ///     unchanged.
  /// - Returns: A snapshot with the same values and information about the save.
  public func copy(
    persistentIdentifier: PersistentIdentifier,
    remappedIdentifiers: [PersistentIdentifier: PersistentIdentifier]? = [:]
  ) -> DefaultSnapshot {
    let old = self.persistentIdentifier
    let row = buffer.copy(index)
    row.setIdentifier(0, persistentIdentifier)
    let current = IdentifierRemapping.current
    if old.isTemporary, !persistentIdentifier.isTemporary {
      current?.record(old, as: persistentIdentifier)
    }
    if let remappedIdentifiers, !remappedIdentifiers.isEmpty {
      row.mapReferences(0) { remappedIdentifiers[$0] ?? $0 }
    }
    return DefaultSnapshot(
      buffer: row, index: 0, changed: changed, differing: differing, changedLists: changedLists,
      formerMembers: notes?.formerMembers ?? [:], remapping: current ?? remapping)
  }

  /// Returns the snapshot with another buffer's values, for use in the same save.
  package func replacing(_ row: SnapshotBuffer) -> DefaultSnapshot {
    // The changed columns are unknown for the new values and therefore omitted.
    DefaultSnapshot(buffer: row, index: 0, remapping: remapping)
  }

  /// Returns the snapshot after resolving all references to models in the same save.
  package func resolved() -> DefaultSnapshot {
    guard let remapping, buffer.references(index, contain: \.isTemporary) else { return self }
    let row = buffer.copy(index)
    row.mapReferences(0) { remapping.resolve($0) }
    return DefaultSnapshot(
      buffer: row, index: 0, changed: changed, changedLists: changedLists,
      formerMembers: notes?.formerMembers ?? [:])
  }
}

// MARK: Coding

extension DefaultSnapshot {
  /// Decodes a snapshot that ``encode(to:)`` encoded.
  ///
  /// The encoded entity name determines the model. During a call to a store, models are looked up in the container's
  /// schema; elsewhere, set `decoder.userInfo[.schema]`.
  ///
  /// - Throws: ``SwiftDataError/unknownSchema`` if the schema does not contain the entity. `DecodingError` if a
  ///   property that has no default value is missing.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: DataStoreSnapshotCodingKey.self)
    let identifier = try container.decode(
      PersistentIdentifier.self, forKey: .persistentIdentifier)
    let definition = try SchemaScope.definition(
      named: identifier.entityName, userInfo: decoder.userInfo)
    let buffer = definition.codec.makeBuffer(capacity: 1)
    let reader = SnapshotFieldReader(
      container: container, definition: definition, identifier: identifier)
    try definition.codec.read(reader, into: buffer)
    self.init(buffer: buffer, index: 0)
  }

  /// Encodes the identifier and the values by property name.
  ///
  /// The encoder determines the date format. Nil values and unloaded to-many relationships are omitted.
  ///
  /// - Throws: ``SwiftDataError/unknownSchema`` if the snapshot has no model definition, and errors from the encoder.
  public func encode(to encoder: any Encoder) throws {
    guard let definition = buffer.definition else { throw SwiftDataError.unknownSchema }
    let identifier = persistentIdentifier
    let writer = SnapshotFieldWriter(
      container: encoder.container(keyedBy: DataStoreSnapshotCodingKey.self),
      layout: definition.layout, remapping: remapping)
    try writer.container.encode(
      remapping?.resolve(identifier) ?? identifier, forKey: .persistentIdentifier)
    try buffer.write(index, to: writer)
  }
}

// MARK: Values

extension DefaultSnapshot {
  /// An attribute's value; nil if the snapshot belongs to a different model.
  public subscript<Model: PersistentModel, Value: DataStoreSnapshotValue>(
    keyPath: KeyPath<Model, Value>
  ) -> Value? {
    property(keyPath).flatMap { buffer.value(index, column: $0.slot) as? Value }
  }

  /// An optional attribute's value; also nil if the snapshot belongs to a different model.
  public subscript<Model: PersistentModel, Value: DataStoreSnapshotValue>(
    keyPath: KeyPath<Model, Value?>
  ) -> Value? {
    property(keyPath).flatMap { buffer.value(index, column: $0.slot) as? Value }
  }

  /// The destination identifier of an optional to-one relationship.
  public subscript<Model: PersistentModel, Other: PersistentModel>(
    keyPath: KeyPath<Model, Other?>
  ) -> PersistentIdentifier? {
    property(keyPath).flatMap { resolve(buffer.reference(index, $0.slot)) }
  }

  /// The destination identifier of a to-one relationship.
  public subscript<Model: PersistentModel, Other: PersistentModel>(
    keyPath: KeyPath<Model, Other>
  ) -> PersistentIdentifier? {
    property(keyPath).flatMap { resolve(buffer.reference(index, $0.slot)) }
  }

  /// The member identifiers of a to-many relationship; nil if they were not loaded.
  public subscript<Model: PersistentModel, Other: PersistentModel>(
    keyPath: KeyPath<Model, [Other]>
  ) -> [PersistentIdentifier]? {
    property(keyPath).flatMap { members($0.slot) }
  }

  /// The member identifiers of an optional to-many relationship; nil if they were not loaded.
  public subscript<Model: PersistentModel, Other: PersistentModel>(
    keyPath: KeyPath<Model, [Other]?>
  ) -> [PersistentIdentifier]? {
    property(keyPath).flatMap { members($0.slot) }
  }

  /// Returns a stored property's value by Swift name.
  ///
  /// ```swift
  /// func dictionary(_ snapshot: DefaultSnapshot) -> [String: any Sendable] {
  ///   var values: [String: any Sendable] = [:]
  ///   for name in snapshot.propertyNames { values[name] = snapshot.value(named: name) }
  ///   return values
  /// }
  /// ```
  ///
  /// - Parameter name: A name in ``propertyNames``.
  /// - Returns: An attribute's value, a ``PersistentIdentifier`` for a to-one relationship, or an array of identifiers
  ///   for a to-many relationship. Nil for a nil value, an unloaded relationship, or an unknown name.
  public func value(named name: String) -> (any Sendable)? {
    guard let property = buffer.definition?.layout.property(named: name) else { return nil }
    switch property.kind {
    case .attribute: return buffer.value(index, column: property.slot)
    case .toOne: return resolve(buffer.reference(index, property.slot))
    case .toMany: return members(property.slot)
    }
  }

  /// The names that ``value(named:)`` accepts, in declaration order.
  public var propertyNames: [String] {
    buffer.definition?.layout.properties.filter { $0.slot >= 0 }.map(\.name) ?? []
  }

  /// Returns the property in the snapshot's model. The key path's root can be a superclass.
  private func property<Model: PersistentModel>(
    _ keyPath: PartialKeyPath<Model>
  ) -> ModelProperty? {
    guard let definition = buffer.definition, definition.modelType is Model.Type else { return nil }
    let found =
      definition.layout.property(for: keyPath)
      ?? Model._$definition.layout.property(for: keyPath)
      .flatMap { definition.layout.property(named: $0.name) }
    return found.flatMap { $0.slot >= 0 ? $0 : nil }
  }

  private func members(_ slot: Int) -> [PersistentIdentifier]? {
    buffer.references(index, slot)?.map { remapping?.resolve($0) ?? $0 }
  }

  private func resolve(_ identifier: PersistentIdentifier?) -> PersistentIdentifier? {
    identifier.map { remapping?.resolve($0) ?? $0 }
  }
}
