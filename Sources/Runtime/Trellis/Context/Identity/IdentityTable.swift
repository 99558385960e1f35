/// A context's identity map for an entity: at most one unretained object per row.
///
/// Models of an inheritance hierarchy share the root entity's table.
final class IdentityTable: ModelOwner {
  /// The context's state, which retains the tables and lives as long as any registered model.
  private unowned(unsafe) let storage: ContextLifetime
  var context: ModelContext { storage.context }
  let store: StoreHandle
  let definition: ModelDefinition
  /// The store and entity of most identifiers looked up in this table.
  let token: IdentifierToken
  /// True if the models have relationships, which are read together for all models of a fetch.
  let hasRelationships: Bool
  /// The most recent fetches, newest last.
  private var groups: [FaultBatch] = []
  private static let groupLimit = 8
  // Exclusivity checks are disabled because every object lookup goes through these maps. This is safe because the maps
  // call no code that accesses them again.
  @exclusivity(unchecked) private var rows = RowMap()
  @exclusivity(unchecked) private var temporaries = RowMap()
  /// Objects from stores with custom keys.
  private var others: [PersistentIdentifier: UnsafeMutableRawPointer] = [:]
  private let isRelational: Bool
  /// Temporary identifiers of models that the context has saved.
  @exclusivity(unchecked) private(set) var earlier = EarlierIdentifiers()

  init(context: ModelContext, store: StoreHandle, definition: ModelDefinition) {
    storage = context.lifetime
    self.store = store
    self.definition = definition
    self.isRelational = store.isRelational
    self.token = .interned(store: store.identifier, entity: definition.entityName)
    let entity = context.core.schema.entitiesByName[definition.entityName]
    self.hasRelationships = entity?.hierarchy.contains { !$0.relationships.isEmpty } ?? true
    super.init(probe: context.probe)
  }

  /// Returns true if an identifier may belong to this table's store. The key does not show this, because different
  /// stores use the same keys.
  func mayHold(_ identifier: PersistentIdentifier) -> Bool {
    identifier.isTemporary || identifier.token == token
      || identifier.storeIdentifier == store.identifier
  }

  /// Returns true if the key alone identifies the row. In other stores, a key is unique only within an entity, not a
  /// hierarchy.
  @inline(__always) private func isRow(_ identifier: PersistentIdentifier) -> Bool {
    identifier.token == token || identifier.isTemporary || isRelational
  }

  /// True if further writes to a changed model need no notification.
  var takesWritesQuietly: Bool { !probe.hasListeners && !probe.occupancy.isDisputed }

  /// Returns the object for a row.
  func object(row: Int64) -> AnyObject? {
    guard let pointer = rows[row] else { return nil }
    return Unmanaged<AnyObject>.fromOpaque(pointer).takeUnretainedValue()
  }

  /// Returns the object for a row, or creates it. The fast path for fetches.
  ///
  /// - Parameters:
  ///   - known: Called with an existing object.
  ///   - make: Creates an object whose state refers to this table.
  @inline(__always) func object(
    row: Int64, known: (AnyObject) throws -> Void, make: (ModelState) throws -> AnyObject
  ) rethrows -> AnyObject {
    let place = rows.place(row)
    if let pointer = place.object {
      let object = Unmanaged<AnyObject>.fromOpaque(pointer)
      try object._withUnsafeGuaranteedRef(known)
      return object.takeUnretainedValue()
    }
    let object = try make(ModelState(owner: Unmanaged.passUnretained(self)))
    rows.insert(Unmanaged.passUnretained(object).toOpaque(), for: row, at: place)
    return object
  }

  private subscript(identifier: PersistentIdentifier) -> UnsafeMutableRawPointer? {
    get {
      switch identifier.key {
      case .integer(let row) where isRow(identifier): identifier.isTemporary ? temporaries[row] : rows[row]
      default: others[identifier]
      }
    }
    set {
      switch identifier.key {
      case .integer(let row) where isRow(identifier):
        if identifier.isTemporary { temporaries[row] = newValue } else { rows[row] = newValue }
      default: others[identifier] = newValue
      }
    }
  }

  func object(_ identifier: PersistentIdentifier) -> AnyObject? {
    guard mayHold(identifier), let pointer = self[identifier] else { return nil }
    return Unmanaged<AnyObject>.fromOpaque(pointer).takeUnretainedValue()
  }

  func model(_ identifier: PersistentIdentifier) -> (any PersistentModel)? {
    object(identifier).map(definition.codec.model(from:))
  }

  /// Adds a model and makes this table its owner.
  func register(_ model: any PersistentModel) {
    self[model._$identifier] = Unmanaged.passUnretained(model as AnyObject).toOpaque()
    model._$state.owner = Unmanaged.passUnretained(self)
  }

  /// Replaces a model's temporary identifier with the permanent one. Returns the existing object if the row already
  /// has a different object.
  func resolve(
    _ model: any PersistentModel, from temporary: PersistentIdentifier,
    to permanent: PersistentIdentifier
  ) -> (any PersistentModel)? {
    if temporary.isTemporary, let serial = temporary.row {
      if case .integer(let row) = permanent.key, isRow(permanent) {
        earlier.add(serial, row: row, permanent.token)
      } else {
        earlier.add(serial, permanent)
      }
    }
    forget(temporary)
    if let other = self[permanent] {
      let object = Unmanaged<AnyObject>.fromOpaque(other).takeUnretainedValue()
      return object === model ? nil : definition.codec.model(from: object)
    }
    self[permanent] = Unmanaged.passUnretained(model as AnyObject).toOpaque()
    return nil
  }

  /// Removes a model that is being released.
  override func release(_ identifier: PersistentIdentifier) {
    guard storage.isHeld else { return releaseWithoutContext(identifier) }
    probe.occupancy.inspect(.release, identifier) { forget(identifier) }
  }

  @inline(never) private func releaseWithoutContext(_ identifier: PersistentIdentifier) {
    // The state, and with it this table, may be released with the context.
    let context = context
    probe.occupancy.inspect(.release, identifier) {
      let phase = model(identifier)?.phase ?? .clean
      forget(identifier)
      context.modelIsReleased(phase, identifier)
    }
    withExtendedLifetime(context) {}
  }

  /// Removes the object with an identifier.
  func forget(_ identifier: PersistentIdentifier) {
    self[identifier] = nil
    if rows.count == 0 { dropGroups() }
  }

  @inline(never) private func dropGroups() {
    if others.isEmpty, !groups.isEmpty { groups = [] }
  }

  /// Records that rows were fetched together.
  func remember(_ group: FaultBatch) {
    if groups.count == Self.groupLimit { groups.removeFirst() }
    groups.append(group)
  }

  /// Returns the most recent group that contains the row.
  func group(of identifier: PersistentIdentifier) -> FaultBatch? {
    groups.last { $0.contains(identifier) }
  }

  /// Removes a model that continues to exist outside of the context.
  func detach(_ model: any PersistentModel) {
    forget(model._$identifier)
    model._$state.owner = nil
    if !storage.isHeld { context.modelHasLeft() }
  }

  func reserve(_ additional: Int) { rows.reserve(additional) }

  /// The number of registered models with saved rows.
  var rowCount: Int { rows.count }

  var count: Int { rows.count + temporaries.count + others.count }

  /// Calls `body` with every registered model, in any order.
  func forEach(_ body: (any PersistentModel) -> Void) {
    var models: [any PersistentModel] = []
    models.reserveCapacity(count)
    let codec = definition.codec
    let collect = { (pointer: UnsafeMutableRawPointer) in
      models.append(codec.model(from: Unmanaged<AnyObject>.fromOpaque(pointer).takeUnretainedValue()))
    }
    rows.forEach(collect)
    temporaries.forEach(collect)
    others.values.forEach(collect)
    for model in models { body(model) }
  }
}

extension ModelState {
  /// The table in which the model is registered.
  @inline(__always) var table: Unmanaged<IdentityTable>? {
    // Contexts register models in tables only.
    unsafeBitCast(owner, to: Unmanaged<IdentityTable>?.self)
  }
}

extension PersistentIdentifier {
  /// Returns true if `lhs` sorts before `rhs`: saved rows before pending rows, each by key.
  static func isStoredBefore(_ lhs: Self, _ rhs: Self) -> Bool {
    if lhs.isTemporary != rhs.isTemporary { return rhs.isTemporary }
    if let lhs = lhs.row, let rhs = rhs.row { return lhs < rhs }
    return lhs < rhs
  }
}

/// An entity's temporary identifiers and the saved rows that replaced them.
///
/// Models that are created and saved in sequence share a run, so most saves only extend a run.
struct EarlierIdentifiers {
  /// Serial numbers at equal distances that were saved as consecutive rows.
  private struct Run {
    let serial: Int64
    let row: Int64
    let token: IdentifierToken
    var distance: Int64 = 1
    var count: Int64 = 1

    /// Adds the next model. Returns false if it does not continue the run.
    @inline(__always) mutating func extend(_ nextSerial: Int64, _ nextRow: Int64, _ token: IdentifierToken) -> Bool {
      guard nextRow == row + count, token == self.token else { return false }
      if count == 1, nextSerial > serial { distance = nextSerial - serial }
      guard nextSerial == serial + distance * count else { return false }
      count += 1
      return true
    }

    func identifier(_ other: Int64) -> PersistentIdentifier? {
      let steps = (other - serial) / distance
      guard other >= serial, steps < count, other == serial + steps * distance else { return nil }
      return PersistentIdentifier(token: token, row: row + steps)
    }
  }

  private var runs: [Run] = []
  /// Identifiers from stores with custom keys.
  private var others: [Int64: PersistentIdentifier] = [:]

  /// Records the permanent identifier assigned by a save.
  @inline(__always) mutating func add(_ serial: Int64, row: Int64, _ token: IdentifierToken) {
    if let last = runs.indices.last, runs[last].extend(serial, row, token) { return }
    runs.append(Run(serial: serial, row: row, token: token))
  }

  mutating func add(_ serial: Int64, _ permanent: PersistentIdentifier) { others[serial] = permanent }

  /// Returns the permanent identifier for a serial number, or `nil` if this context has not saved the model.
  func identifier(_ serial: Int64) -> PersistentIdentifier? {
    for run in runs {
      if let identifier = run.identifier(serial) { return identifier }
    }
    return others[serial]
  }
}

extension ModelContext {
  /// Returns the permanent identifier if this context has saved the model, otherwise the given identifier.
  func current(_ identifier: PersistentIdentifier) -> PersistentIdentifier {
    guard state.hasSavedInsertions, identifier.isTemporary, let serial = identifier.row else { return identifier }
    if let source = state.identifierSource { return source.current(identifier) }
    guard let definition = core.entity(formerly: identifier.entityName)?.definition,
      let table = tables[ObjectIdentifier(definition.root)], table.object(identifier) == nil
    else { return identifier }
    return table.earlier.identifier(serial) ?? identifier
  }

  /// Replaces identifiers that a predicate captured before a save; `nil` if there are none to replace.
  var capturedIdentifiers: CapturedIdentifiers? {
    state.hasSavedInsertions ? CapturedIdentifiers { self.current($0) } : nil
  }
}
