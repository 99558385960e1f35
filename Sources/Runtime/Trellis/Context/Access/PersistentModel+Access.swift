import Observation

// Functions called by generated accessors. Do not call them in handwritten code.

extension PersistentModel {
  /// The context in which this model is registered.
  var ownerContext: ModelContext? { _$state.table?._withUnsafeGuaranteedRef { $0.context } }

  // Access by column slot. Only observers need a key path, which the layout provides.

  /// Records a tracked read of a column.
  public func _$track(_ slot: Int) {
    inspected(.read) {
      if _$state.side?.missing != nil { ownerContext?.complete(self, toRead: slot) }
      if isObserved { observable(slot)?.notify(observedRegistrar, .access, of: self) }
    }
  }

  /// False if reads are tracked only because the context has incomplete models.
  private var isObserved: Bool {
    _$state.table?._withUnsafeGuaranteedRef { $0.probe.incompleteModels == 0 || $0.probe.isObserved } ?? true
  }

  /// Runs an operation on the model. Debug builds report operations that overlap on different threads.
  @inline(__always) func inspected<Result>(
    _ operation: ContextOccupancy.Operation, _ body: () -> Result
  ) -> Result {
    #if DEBUG
      if let table = _$state.table {
        return table._withUnsafeGuaranteedRef { $0.probe.occupancy.inspect(operation, _$identifier, body) }
      }
    #endif
    return body()
  }

  /// Begins an assignment that ``_$didSet(_:)`` ends. In debug builds, concurrent threads wait.
  @inline(__always) private func beginAssignment() {
    #if DEBUG
      _ = _$state.table?._withUnsafeGuaranteedRef { $0.probe.occupancy.enter(.write, _$identifier) }
    #endif
  }

  @inline(__always) private func endAssignment() {
    #if DEBUG
      _$state.table?._withUnsafeGuaranteedRef { $0.probe.occupancy.endWrite() }
    #endif
  }

  /// Prepares a write to a column. Returns false if the model is deleted and the write is rejected.
  public func _$willSet(_ slot: Int) -> Bool {
    // Fast path: repeated writes to a changed model that has no observers.
    let state = _$state
    if let side = state.side, side.phase == .changed || side.phase == .inserted, !side.isObserved,
      let owner = state.table, owner._withUnsafeGuaranteedRef({ $0.takesWritesQuietly })
    {
      side.changed.insert(slot)
      beginAssignment()
      return true
    }
    guard prepareSet(slot, path(slot), { observable(slot)?.notify($0, .willSet, of: self) }) else { return false }
    beginAssignment()
    return true
  }

  /// - Parameter announce: Called with the registrar if the model is observed.
  @inline(never) private func prepareSet(
    _ slot: Int, _ keyPath: @autoclosure () -> AnyKeyPath, _ announce: (ObservationRegistrar) -> Void
  ) -> Bool {
    guard prepareChange(keyPath()) else { return false }
    guard let side = _$state.side else { return true }
    if slot >= 0 { side.changed.insert(slot) }
    guard side.isObserved, let registrar = side.registrar else { return true }
    announce(registrar)
    guard remainsPrepared(keyPath()) else { return false }
    if slot >= 0 { self.side.changed.insert(slot) }
    return true
  }

  /// Notifies observers after a write to a column.
  public func _$didSet(_ slot: Int) {
    endAssignment()
    guard let side = _$state.side, side.isObserved, let registrar = side.registrar else { return }
    observable(slot)?.notify(registrar, .didSet, of: self)
  }

  private func observable(_ slot: Int) -> (any ObservableKeyPath)? { path(slot) as? any ObservableKeyPath }

  private func path(_ slot: Int) -> AnyKeyPath { type(of: self)._$definition.layout.columns[slot].accessedKeyPath }

  private var observedRegistrar: ObservationRegistrar {
    let side = side
    if let existing = side.registrar { return existing }
    let registrar = ObservationRegistrar()
    side.registrar = registrar
    return registrar
  }

  /// Records a tracked read of a property that has no column.
  public func _$track<Value>(_ keyPath: KeyPath<Self, Value>) {
    inspected(.read) {
      if isObserved { observedRegistrar.access(self, keyPath: keyPath) }
    }
  }

  /// Prepares a write to a stored property. Returns false if the model is deleted and the write is rejected.
  ///
  /// - Parameter slot: The column slot, or -1 for a property that is never stored.
  public func _$willSet<Value>(_ slot: Int, _ keyPath: KeyPath<Self, Value>) -> Bool {
    guard prepareSet(slot, keyPath, { $0.willSet(self, keyPath: keyPath) }) else { return false }
    beginAssignment()
    return true
  }

  /// Notifies observers after a write.
  public func _$didSet<Value>(_ keyPath: KeyPath<Self, Value>) {
    endAssignment()
    guard let side = _$state.side, side.isObserved else { return }
    side.registrar?.didSet(self, keyPath: keyPath)
  }

  /// Repeats ``prepareChange(_:)`` if observers have saved or rolled back after being notified.
  func remainsPrepared(_ keyPath: @autoclosure () -> AnyKeyPath) -> Bool {
    phase == .inserted || phase == .changed || prepareChange(keyPath())
  }

  /// Adds the model to the context's pending changes and preserves the committed values.
  func prepareChange(_ keyPath: @autoclosure () -> AnyKeyPath) -> Bool {
    guard let owner = _$state.table else {
      guard let side = _$state.side, side.isDeleted || side.isUnreadable else { return true }
      let name = propertyName(of: keyPath())
      let issue: ModelIssue =
        side.isDeleted
        ? .writeToDeletedModel(_$identifier, property: name) : .writeToUnreadableModel(_$identifier, property: name)
      issue.report()
      return false
    }
    return owner._withUnsafeGuaranteedRef { table in
      table.probe.occupancy.visit(.assignment, _$identifier) { table.context.recordChange(of: self, keyPath()) }
    }
  }
}
