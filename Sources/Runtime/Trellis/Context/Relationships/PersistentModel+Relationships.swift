// The typed interface for generated relationship accessors. `RelationshipEditor` updates both sides of a relationship.

extension PersistentModel {
  public func _$toOne<M: PersistentModel>(_ slot: Int, _ keyPath: KeyPath<Self, M?>) -> M? {
    if _$state.isTracking { _$track(keyPath) }
    return inspected(.relationship) { target(slot) as? M }
  }

  public func _$requiredToOne<M: PersistentModel>(_ slot: Int, _ keyPath: KeyPath<Self, M>) -> M {
    if _$state.isTracking { _$track(keyPath) }
    if let model = inspected(.relationship, { target(slot) as? M }) { return model }
    let definition = M._$definition
    let identifier =
      type(of: self)._$definition.codec.reference(slot, of: self) ?? definition.temporaryIdentifier()
    return definition.codec.deleted(identifier, as: M.self)
  }

  public func _$setToOne<M: PersistentModel>(
    _ slot: Int, _ keyPath: KeyPath<Self, M?>, _ newValue: M?
  ) {
    inspected(.assignment) { RelationshipEditor.setTarget(of: self, slot: slot, to: newValue, keyPath: keyPath) }
  }

  public func _$setRequiredToOne<M: PersistentModel>(
    _ slot: Int, _ keyPath: KeyPath<Self, M>, _ newValue: M
  ) {
    inspected(.assignment) { RelationshipEditor.setTarget(of: self, slot: slot, to: newValue, keyPath: keyPath) }
  }

  public func _$toMany<M: PersistentModel>(_ slot: Int, _ keyPath: KeyPath<Self, [M]>) -> [M] {
    if _$state.isTracking { _$track(keyPath) }
    return inspected(.relationship) { members(slot) }
  }

  public func _$optionalToMany<M: PersistentModel>(
    _ slot: Int, _ keyPath: KeyPath<Self, [M]?>
  ) -> [M]? {
    if _$state.isTracking { _$track(keyPath) }
    return inspected(.relationship) { members(slot) }
  }

  public func _$setToMany<M: PersistentModel>(
    _ slot: Int, _ keyPath: KeyPath<Self, [M]>, _ newValue: [M]
  ) {
    inspected(.assignment) { RelationshipEditor.setMembers(of: self, slot: slot, to: newValue, keyPath: keyPath) }
  }

  public func _$setOptionalToMany<M: PersistentModel>(
    _ slot: Int, _ keyPath: KeyPath<Self, [M]?>, _ newValue: [M]?
  ) {
    inspected(.assignment) { RelationshipEditor.setMembers(of: self, slot: slot, to: newValue ?? [], keyPath: keyPath) }
  }

  // Called by memberwise initializers to set a new model's relationships. Inlined into the model's module, because most
  // new models have no related models, and checking this in generic code takes longer than registering the model.

  @inlinable @inline(__always) public func _$link<M: PersistentModel>(
    _ slot: Int, _ keyPath: KeyPath<Self, M?>, _ model: M?
  ) {
    if let model { linkTarget(slot, keyPath, model) }
  }

  @usableFromInline @inline(never) func linkTarget<M: PersistentModel, Value>(
    _ slot: Int, _ keyPath: KeyPath<Self, Value>, _ model: M
  ) {
    RelationshipEditor.setTarget(of: self, slot: slot, to: model, keyPath: keyPath)
  }

  public func _$link<M: PersistentModel>(_ slot: Int, _ keyPath: KeyPath<Self, M>, _ model: M) {
    RelationshipEditor.setTarget(of: self, slot: slot, to: model, keyPath: keyPath)
  }

  @inlinable @inline(__always) public func _$link<M: PersistentModel>(
    _ slot: Int, _ keyPath: KeyPath<Self, [M]>, _ models: [M]
  ) {
    if !models.isEmpty { linkMembers(slot, keyPath, models) }
  }

  @inlinable @inline(__always) public func _$link<M: PersistentModel>(
    _ slot: Int, _ keyPath: KeyPath<Self, [M]?>, _ models: [M]?
  ) {
    if let models, !models.isEmpty { linkMembers(slot, keyPath, models) }
  }

  @usableFromInline @inline(never) func linkMembers<M: PersistentModel, Value>(
    _ slot: Int, _ keyPath: KeyPath<Self, Value>, _ models: [M]
  ) {
    RelationshipEditor.setMembers(of: self, slot: slot, to: models, keyPath: keyPath)
  }

  /// Returns a to-one slot's target, or `nil` if the target or its row was deleted.
  func target(_ slot: Int) -> (any PersistentModel)? {
    if let linked = _$state.side?.links.target(slot) { return linked.isUsableTarget ? linked : nil }
    guard let identifier = type(of: self)._$definition.codec.reference(slot, of: self),
      let context = ownerContext, let relation = type(of: self)._$definition.relations.toOne[slot],
      let target = context.target(of: self, relation, identifier), target.isUsableTarget
    else { return nil }
    return target
  }

  /// Returns a to-many slot's members, reading them from the store on first access.
  func members<M: PersistentModel>(_ slot: Int) -> [M] {
    guard let list = loadedList(slot), list.codec === M._$definition.codec else { return [] }
    let members = unsafeBitCast(list.members, to: [M].self)
    if let owner = _$state.table,
      !owner._withUnsafeGuaranteedRef({ $0.probe.hasUnusableModels })
    {
      return members
    }
    return members.filter(\.isUsableTarget)
  }

  /// Returns a to-many slot's complete list, or `nil` if it cannot be loaded.
  func loadedList(_ slot: Int) -> ModelList? {
    if let list = _$state.side?.links.list(slot), list.isLoaded { return list }
    guard let context = ownerContext else { return _$state.side?.links.list(slot) }
    return context.loadList(of: self, slot: slot)
  }
}
