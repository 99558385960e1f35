/// The registered models of one entity in one context: at most one object for each row, none retained.
///
/// Models of one inheritance chain share the table of their root entity.
final class IdentityTable: ModelOwner {
  /// The state of the context, which retains its tables and lives as long as a registered model.
  private unowned(unsafe) let storage: ContextState
  var context: ModelContext { storage.context }
  let store: StoreHandle
  let definition: ModelDefinition
  /// Store and entity of nearly every identifier this table is asked for.
  let token: IdentifierToken
  /// Whether models of the table have relationships, so that it matters what they were fetched with.
  let hasRelationships: Bool
  /// The last fetches, the newest at the end.
  private var groups: [FaultBatch] = []
  private static let groupLimit = 8
  // Not checked at run time for being used twice at once: every object is looked up here, and no call
  // out of the map leads back.
  @exclusivity(unchecked) private var rows = RowMap()
  @exclusivity(unchecked) private var temporaries = RowMap()
  /// Objects from stores with custom keys.
  private var others: [PersistentIdentifier: UnsafeMutableRawPointer] = [:]
  private let isRelational: Bool
  /// The temporary identifiers of models that the context has saved.
  @exclusivity(unchecked) private(set) var earlier = EarlierIdentifiers()

  init(context: ModelContext, store: StoreHandle, definition: ModelDefinition) {
    storage = context.state
    self.store = store
    self.definition = definition
    self.isRelational = store.isRelational
    self.token = .interned(store: store.identifier, entity: definition.entityName)
    let entity = context.core.schema.entitiesByName[definition.entityName]
    self.hasRelationships = entity?.hierarchy.contains { !$0.relationships.isEmpty } ?? true
    super.init(probe: context.probe)
  }

  /// Whether the identifier is of this table's store: another store has rows of the same numbers.
  func mayHold(_ identifier: PersistentIdentifier) -> Bool {
    identifier.isTemporary || identifier.token == token
      || identifier.storeIdentifier == store.identifier
  }

  /// Whether the number alone tells the row. Elsewhere a key tells apart the rows of one entity only,
  /// and those of a hierarchy are of several.
  @inline(__always) private func isRow(_ identifier: PersistentIdentifier) -> Bool {
    identifier.token == token || identifier.isTemporary || isRelational
  }

  /// True if a further write to a changed model needs no notification.
  var takesWritesQuietly: Bool { !probe.hasListeners && !probe.occupancy.isDisputed }

  /// The object of a row.
  func object(row: Int64) -> AnyObject? {
    guard let pointer = rows[row] else { return nil }
    return Unmanaged<AnyObject>.fromOpaque(pointer).takeUnretainedValue()
  }

  /// The object of a row, made now where there is none; the fast question of a fetch.
  ///
  /// - Parameters:
  ///   - known: what to do with an object that is there.
  ///   - make: makes one whose state names this table.
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

  /// Enters a model under its identifier and makes this table its owner.
  func register(_ model: any PersistentModel) {
    self[model._$identifier] = Unmanaged.passUnretained(model as AnyObject).toOpaque()
    model._$state.owner = Unmanaged.passUnretained(self)
  }

  /// Enters a model of this table under its permanent identifier and forgets the temporary one, unless another object
  /// stands for the row; returns that one.
  func settle(
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
    // The state, and with it this table, may end with the context.
    let context = context
    probe.occupancy.inspect(.release, identifier) {
      let phase = model(identifier)?.phase ?? .clean
      forget(identifier)
      context.modelIsReleased(phase, identifier)
    }
    withExtendedLifetime(context) {}
  }

  /// Removes whatever is known under the identifier.
  func forget(_ identifier: PersistentIdentifier) {
    self[identifier] = nil
    if rows.count == 0 { dropGroups() }
  }

  @inline(never) private func dropGroups() {
    if others.isEmpty, !groups.isEmpty { groups = [] }
  }

  /// Keeps in mind that rows were fetched together.
  func remember(_ group: FaultBatch) {
    if groups.count == Self.groupLimit { groups.removeFirst() }
    groups.append(group)
  }

  /// The last fetch that had the row among others.
  func group(of identifier: PersistentIdentifier) -> FaultBatch? {
    groups.last { $0.contains(identifier) }
  }

  /// Lets go of a model that lives on outside of the context.
  func detach(_ model: any PersistentModel) {
    forget(model._$identifier)
    model._$state.owner = nil
    if !storage.isHeld { context.modelHasLeft() }
  }

  func reserve(_ additional: Int) { rows.reserve(additional) }

  /// How many models of saved rows there are.
  var rowCount: Int { rows.count }

  var count: Int { rows.count + temporaries.count + others.count }

  /// Every registered model, in no order.
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
  /// The table that the model is registered with.
  @inline(__always) var table: Unmanaged<IdentityTable>? {
    // Contexts register models with tables only.
    unsafeBitCast(owner, to: Unmanaged<IdentityTable>?.self)
  }
}

extension PersistentIdentifier {
  /// Saved rows before pending ones, each by key.
  static func isStoredBefore(_ lhs: Self, _ rhs: Self) -> Bool {
    if lhs.isTemporary != rhs.isTemporary { return rhs.isTemporary }
    if let lhs = lhs.row, let rhs = rhs.row { return lhs < rhs }
    return lhs < rhs
  }
}

/// An entity's temporary identifiers from before the save, and the rows that they became.
///
/// Models that are created and saved in sequence share a run, so that most saves add nothing to it.
struct EarlierIdentifiers {
  /// Serial numbers at equal distances that became consecutive rows.
  private struct Run {
    let serial: Int64
    let row: Int64
    let token: IdentifierToken
    var distance: Int64 = 1
    var count: Int64 = 1

    /// Adds the next model; false if it is not part of the run.
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
  /// Identifiers in stores that assign keys.
  private var others: [Int64: PersistentIdentifier] = [:]

  /// Records the permanent identifier that a save gave a model.
  @inline(__always) mutating func add(_ serial: Int64, row: Int64, _ token: IdentifierToken) {
    if let last = runs.indices.last, runs[last].extend(serial, row, token) { return }
    runs.append(Run(serial: serial, row: row, token: token))
  }

  mutating func add(_ serial: Int64, _ permanent: PersistentIdentifier) { others[serial] = permanent }

  /// The permanent identifier of the model with a serial number; nil if the context has not saved it.
  func identifier(_ serial: Int64) -> PersistentIdentifier? {
    for run in runs {
      if let identifier = run.identifier(serial) { return identifier }
    }
    return others[serial]
  }
}

extension ModelContext {
  /// The permanent identifier if this context has saved the model since; otherwise the same identifier.
  func current(_ identifier: PersistentIdentifier) -> PersistentIdentifier {
    guard state.hasSavedInsertions, identifier.isTemporary, let serial = identifier.row else { return identifier }
    if let source = state.identifierSource { return source.current(identifier) }
    guard let definition = core.entity(formerly: identifier.entityName)?.definition,
      let table = tables[ObjectIdentifier(definition.root)], table.object(identifier) == nil
    else { return identifier }
    return table.earlier.identifier(serial) ?? identifier
  }

  /// Replaces identifiers that a predicate captured before a save; nil if there can be none.
  var capturedIdentifiers: CapturedIdentifiers? {
    state.hasSavedInsertions ? CapturedIdentifiers { self.current($0) } : nil
  }
}
