/// The registered models of one entity in one context: at most one object for each row, none retained.
///
/// Models of one inheritance chain share the table of their root entity.
final class IdentityTable: ModelOwner {
  /// The context, or the one that has taken its place; see ``ModelContext/keepForModels()``.
  unowned var context: ModelContext
  /// Set once the program has released its context, and only models keep one.
  var loose: LooseModels?
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
  /// Objects of stores with keys of their own.
  private var others: [PersistentIdentifier: UnsafeMutableRawPointer] = [:]
  private let isRelational: Bool
  /// The temporary identifiers of models that the context has saved.
  @exclusivity(unchecked) private(set) var earlier = EarlierIdentifiers()

  init(
    context: ModelContext, store: StoreHandle, definition: ModelDefinition, probe: TrackingProbe
  ) {
    self.context = context
    self.store = store
    self.definition = definition
    self.isRelational = store.isRelational
    self.token = .interned(store: store.identifier, entity: definition.entityName)
    let entity = context.core.schema.entitiesByName[definition.entityName]
    self.hasRelationships = entity?.hierarchy.contains { !$0.relationships.isEmpty } ?? true
    super.init(probe: probe)
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

  func object(_ identifier: PersistentIdentifier) -> AnyObject? {
    guard mayHold(identifier) else { return nil }
    let pointer: UnsafeMutableRawPointer?
    switch identifier.key {
    case .integer(let row) where isRow(identifier):
      pointer = identifier.isTemporary ? temporaries[row] : rows[row]
    default: pointer = others[identifier]
    }
    guard let pointer else { return nil }
    return Unmanaged<AnyObject>.fromOpaque(pointer).takeUnretainedValue()
  }

  func model(_ identifier: PersistentIdentifier) -> (any PersistentModel)? {
    object(identifier).map(definition.codec.model(from:))
  }

  /// Enters a model under its identifier and makes this table its owner.
  func register(_ model: any PersistentModel) {
    let pointer = Unmanaged.passUnretained(model as AnyObject).toOpaque()
    let identifier = model._$identifier
    switch identifier.key {
    case .integer(let row) where isRow(identifier):
      if identifier.isTemporary {
        temporaries.insert(pointer, for: row)
      } else {
        rows.insert(pointer, for: row)
      }
    default: others[identifier] = pointer
    }
    model._$state.owner = Unmanaged.passUnretained(self)
  }

  /// Enters a model of this table under its permanent identifier unless another object stands for
  /// the row; returns that one.
  func claim(_ model: any PersistentModel) -> (any PersistentModel)? {
    let pointer = Unmanaged.passUnretained(model as AnyObject).toOpaque()
    let other: UnsafeMutableRawPointer?
    let identifier = model._$identifier
    switch identifier.key {
    case .integer(let row) where isRow(identifier): other = rows.claim(pointer, for: row)
    default:
      let known = others[identifier]
      other = known == pointer ? nil : known
      if other == nil { others[identifier] = pointer }
    }
    guard let other else { return nil }
    return definition.codec.model(
      from: Unmanaged<AnyObject>.fromOpaque(other).takeUnretainedValue())
  }

  /// The same of a model that was known under a temporary identifier, which is forgotten.
  func settle(
    _ model: any PersistentModel, from temporary: PersistentIdentifier,
    to permanent: PersistentIdentifier
  ) -> (any PersistentModel)? {
    guard temporary.isTemporary, case .integer(let serial) = temporary.key,
      case .integer(let row) = permanent.key, isRow(permanent)
    else {
      if temporary.isTemporary, let serial = temporary.row { earlier.add(serial, permanent) }
      forget(temporary)
      return claim(model)
    }
    temporaries.remove(serial)
    earlier.add(serial, row: row, permanent.token)
    let pointer = Unmanaged.passUnretained(model as AnyObject).toOpaque()
    guard let other = rows.claim(pointer, for: row) else { return nil }
    return definition.codec.model(
      from: Unmanaged<AnyObject>.fromOpaque(other).takeUnretainedValue())
  }

  /// Removes a model that is being released.
  override func release(_ identifier: PersistentIdentifier) {
    probe.occupancy.inspect(.release, identifier) {
      if let loose { release(identifier, loose) } else { forget(identifier) }
    }
  }

  @inline(never) private func release(_ identifier: PersistentIdentifier, _ loose: LooseModels) {
    // Members of its lists may be released with the model: the context, and with it this table, stays until the end.
    let context = context
    if model(identifier).map({ loose.replace($0, in: self) }) != true { forget(identifier) }
    context.giveUpIfUnused(loose)
  }

  /// Removes whatever is known under the identifier.
  func forget(_ identifier: PersistentIdentifier) {
    switch identifier.key {
    case .integer(let row) where isRow(identifier):
      if identifier.isTemporary { return temporaries.remove(row) }
      rows.remove(row)
    default: others[identifier] = nil
    }
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
    guard let loose else { return }
    // The last reference to the context may go here.
    let context = context
    context.giveUpIfUnused(loose)
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

  /// True once the context has ended.
  private(set) var isClosed = false

  /// Clears the owner of every model: the context is going away.
  func close() {
    isClosed = true
    let codec = definition.codec
    let clear = { (pointer: UnsafeMutableRawPointer) in
      codec.clearOwner(Unmanaged<AnyObject>.fromOpaque(pointer).takeUnretainedValue())
    }
    rows.forEach(clear)
    temporaries.forEach(clear)
    others.values.forEach(clear)
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
