import Observation

/// What an instance of a model needs besides its values: its owner and, once something happens to
/// it, a side object. Sixteen bytes in each model.
public struct ModelState {
  /// The table of the context that has registered the model; nil before insertion and afterwards.
  /// The table clears this before it goes away, so the pointer never dangles.
  @usableFromInline var owner: Unmanaged<ModelOwner>?
  /// Observation, pending changes, loaded relationships: made when first needed.
  @usableFromInline var side: TrackedState?

  /// The state of a model without a context.
  @inlinable public init() {}

  /// The state of a model that the table is about to enter.
  init(owner: Unmanaged<ModelOwner>) { self.owner = owner }

  /// Whether the next read is inside `withObservationTracking` and so must be recorded.
  @inlinable public var isTracking: Bool {
    guard let owner else { return Self.isTrackingWithoutOwner }
    return owner._withUnsafeGuaranteedRef { $0.probe.isTracking }
  }

  @usableFromInline static var isTrackingWithoutOwner: Bool { ThreadProbe.isTracking }

  /// Removes a model that is being released from the identity map of its context.
  ///
  /// Each class of a hierarchy calls this. The first call comes from the class of the object itself, while all
  /// of its values exist.
  @inlinable public mutating func close(_ identifier: PersistentIdentifier) {
    guard let owner else { return }
    owner._withUnsafeGuaranteedRef { $0.release(identifier) }
    self.owner = nil
  }
}

/// The rarely needed part of a model's state.
@usableFromInline final class TrackedState {
  // Every write reads these. A run-time check for exclusive access would take
  // longer, and no code that is called while they change reads them.

  /// Made by the first tracked read.
  @exclusivity(unchecked) var registrar: ObservationRegistrar? {
    didSet { isObserved = registrar != nil }
  }
  /// True if there is a registrar. Takes less time than a test of the optional, whose type only Observation knows.
  @exclusivity(unchecked) private(set) var isObserved = false
  /// Where the model stands between insertion and deletion.
  @exclusivity(unchecked) var phase: Phase = .clean
  /// The values at the last save or fetch, kept from the first change on.
  @exclusivity(unchecked) var committed: FormerRow?
  /// Whether the values were those of `committed` when the model was deleted.
  var isDeletedAsCommitted = false
  /// The stored properties written since then.
  @exclusivity(unchecked) var changed = PropertySet()
  /// The to-many properties changed since then.
  @exclusivity(unchecked) var changedLists = PropertySet()
  /// Relationships loaded or set; by to-many slot and, for models without a context, by to-one slot.
  /// Not checked at run time for being used twice at once, which every read of a list would pay for:
  /// its functions call no other code while they change it.
  @exclusivity(unchecked) var links = ModelLinks()
  /// The columns that the fetch of the model has left out, until one of them is read.
  var missing: MissingColumns?
  /// The identifier under which a context knew the model; kept when the context lets go of it.
  var isDeleted = false
  /// True if the row of the object could not be read. The object refuses writes.
  var isUnreadable = false
  /// True if another context or process has deleted the row of a model with unsaved changes.
  var hasLostRow = false

  init() {}

  deinit {
    guard !links.isEmpty else { return }
    let held = links
    links = ModelLinks()
    ChainRelease.release(held)
  }

  /// True for an object that stands for a missing row. No context inserts it.
  private(set) var isPlaceholder = false

  /// Makes a new object stand for a missing row.
  func becomePlaceholder() {
    phase = .gone
    isDeleted = true
    isPlaceholder = true
  }

  /// Back to a model no context has seen.
  func becomeNew() {
    phase = .clean
    isDeleted = false
    hasLostRow = false
    committed = nil
    changed = PropertySet()
    changedLists = PropertySet()
  }

  enum Phase {
    /// As in the store.
    case clean
    /// Inserted into a context and not saved yet.
    case inserted
    /// Changed since the last save.
    case changed
    /// `delete` was called and not saved yet.
    case deleting
    /// Deleted and saved, dropped before it was saved, or its row is gone.
    case gone
  }
}

/// What a model is registered with: the identity table of a context.
@usableFromInline class ModelOwner {
  @usableFromInline final let probe: TrackingProbe

  init(probe: TrackingProbe) { self.probe = probe }

  /// Removes a model that is being released.
  @usableFromInline func release(_ identifier: PersistentIdentifier) {}
}

extension PersistentModel {
  /// The side object, made now if there is none.
  var side: TrackedState {
    if let side = _$state.side { return side }
    return makeSide(phase)
  }

  /// The side object of a model that is as its store has it.
  var sideOfCleanModel: TrackedState { _$state.side ?? makeSide(.clean) }

  private func makeSide(_ phase: TrackedState.Phase) -> TrackedState {
    let side = TrackedState()
    side.phase = phase
    _$state.side = side
    return side
  }

  /// Where the model stands; a model without a side object is as its identifier says.
  var phase: TrackedState.Phase {
    if let side = _$state.side { return side.phase }
    return _$state.owner != nil && _$identifier.isTemporary ? .inserted : .clean
  }

  /// Whether relationships still show the model.
  var isUsableTarget: Bool {
    guard let side = _$state.side else { return true }
    return side.phase != .deleting && side.phase != .gone
  }
}

/// The values a model had at the last save or fetch.
package struct FormerRow {
  let buffer: SnapshotBuffer
  let index: Int
  /// What others have overwritten since the context has changed it, for ``ConflictPolicy/fail``.
  var overtaken: Overtaken?

  /// Values as they were when they were changed.
  final class Overtaken: Sendable {
    let buffer: SnapshotBuffer
    let slots: PropertySet

    init(_ buffer: SnapshotBuffer, _ slots: PropertySet) {
      self.buffer = buffer
      self.slots = slots
    }
  }

  /// A buffer of this row alone.
  init(_ buffer: SnapshotBuffer) {
    self.buffer = buffer
    index = 0
  }

  init(_ buffer: SnapshotBuffer, _ index: Int) {
    self.buffer = buffer
    self.index = index
  }

  func reference(_ slot: Int) -> PersistentIdentifier? { buffer.reference(index, slot) }
  func restore(_ model: any PersistentModel) { buffer.restore(index, model) }
}

/// The columns a model was fetched without. While there are such models, every read of their context
/// asks whether it is one of them.
final class MissingColumns {
  let slots: PropertySet
  private let probe: TrackingProbe

  init(_ slots: PropertySet, _ probe: TrackingProbe) {
    self.slots = slots
    self.probe = probe
    probe.incompleteModels += 1
  }

  deinit { probe.incompleteModels -= 1 }

  func names(in definition: ModelDefinition) -> [String] {
    slots.slots.map { definition.layout.columns[$0].name }
  }
}
