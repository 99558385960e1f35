import Foundation
import Observation
import Synchronization

/// What an instance of a model needs besides its values: its owner and, once something happens to
/// it, a side object. Sixteen bytes in each model.
public struct ModelState {
  /// The table of the context that has registered the model; nil before insertion and afterwards.
  /// The table clears this before it goes away, so the pointer never dangles.
  @usableFromInline package var owner: Unmanaged<ModelOwner>?
  /// Observation, pending changes, loaded relationships: made when first needed.
  @usableFromInline package var side: TrackedState?

  /// The state of a model without a context.
  @inlinable public init() {}

  /// The state of a model that the table is about to enter.
  package init(owner: Unmanaged<ModelOwner>) { self.owner = owner }

  /// Whether the next read is inside `withObservationTracking` and so must be recorded.
  @inlinable public var isTracking: Bool {
    guard let owner else { return Self.isTrackingWithoutOwner }
    return owner._withUnsafeGuaranteedRef { $0.probe.isTracking }
  }

  @usableFromInline static var isTrackingWithoutOwner: Bool { ThreadState.isTracking }

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
@usableFromInline package final class TrackedState {
  // Every write reads these. A run-time check for exclusive access would take
  // longer, and no code that is called while they change reads them.

  /// Made by the first tracked read.
  @exclusivity(unchecked) package var registrar: ObservationRegistrar? {
    didSet { isObserved = registrar != nil }
  }
  /// True if there is a registrar. Takes less time than a test of the optional, whose type only Observation knows.
  @exclusivity(unchecked) package private(set) var isObserved = false
  /// Where the model stands between insertion and deletion.
  @exclusivity(unchecked) package var phase: Phase = .clean
  /// The values at the last save or fetch, kept from the first change on.
  @exclusivity(unchecked) package var committed: FormerRow?
  /// Whether the values were those of `committed` when the model was deleted.
  package var isDeletedAsCommitted = false
  /// The stored properties written since then.
  @exclusivity(unchecked) package var changed = PropertySet()
  /// The to-many properties changed since then.
  @exclusivity(unchecked) package var changedLists = PropertySet()
  /// Relationships loaded or set; by to-many slot and, for models without a context, by to-one slot.
  /// Not checked at run time for being used twice at once, which every read of a list would pay for:
  /// its functions call no other code while they change it.
  @exclusivity(unchecked) package var links = ModelLinks()
  /// The columns that the fetch of the model has left out, until one of them is read.
  package var missing: MissingColumns?
  /// The identifier under which a context knew the model; kept when the context lets go of it.
  package var isDeleted = false
  /// True if the row of the object could not be read. The object refuses writes.
  package var isUnreadable = false
  /// True if another context or process has deleted the row of a model with unsaved changes.
  package var hasLostRow = false

  init() {}

  deinit {
    guard !links.isEmpty else { return }
    let held = links
    links = ModelLinks()
    ChainRelease.release(held)
  }

  /// True for an object that stands for a missing row. No context inserts it.
  package private(set) var isPlaceholder = false

  /// Makes a new object stand for a missing row.
  package func becomePlaceholder() {
    phase = .gone
    isDeleted = true
    isPlaceholder = true
  }

  /// Back to a model no context has seen.
  package func becomeNew() {
    becomeClean()
    isDeleted = false
    hasLostRow = false
  }

  /// The present values are those of the store.
  package func becomeClean() {
    phase = .clean
    committed = nil
    changed = PropertySet()
    changedLists = PropertySet()
  }

  package enum Phase {
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

/// The identity table of a context, in which models are registered. Subclasses need the package's initializer.
open class ModelOwner {
  @usableFromInline package final let probe: TrackingProbe

  @usableFromInline package init(probe: TrackingProbe) { self.probe = probe }

  /// Removes a model that is being released.
  open func release(_ identifier: PersistentIdentifier) {}
}

extension PersistentModel {
  /// The side object, made now if there is none.
  package var side: TrackedState {
    if let side = _$state.side { return side }
    return makeSide(phase)
  }

  /// The side object of a model that is as its store has it.
  package var sideOfCleanModel: TrackedState { _$state.side ?? makeSide(.clean) }

  private func makeSide(_ phase: TrackedState.Phase) -> TrackedState {
    let side = TrackedState()
    side.phase = phase
    _$state.side = side
    return side
  }

  /// Where the model stands; a model without a side object is as its identifier says.
  package var phase: TrackedState.Phase {
    if let side = _$state.side { return side.phase }
    return _$state.owner != nil && _$identifier.isTemporary ? .inserted : .clean
  }

  /// Whether relationships still show the model.
  package var isUsableTarget: Bool {
    guard let side = _$state.side else { return true }
    return side.phase != .deleting && side.phase != .gone
  }
}

/// The values a model had at the last save or fetch.
package struct FormerRow {
  package let buffer: SnapshotBuffer
  package let index: Int
  /// What others have overwritten since the context has changed it, for ``ConflictPolicy/fail``.
  package var overtaken: Overtaken?

  /// Values as they were when they were changed.
  package final class Overtaken: Sendable {
    package let buffer: SnapshotBuffer
    package let slots: PropertySet

    package init(_ buffer: SnapshotBuffer, _ slots: PropertySet) {
      self.buffer = buffer
      self.slots = slots
    }
  }

  package init(_ buffer: SnapshotBuffer, _ index: Int = 0) {
    self.buffer = buffer
    self.index = index
  }

  package func reference(_ slot: Int) -> PersistentIdentifier? { buffer.reference(index, slot) }
  package func restore(_ model: any PersistentModel) { buffer.restore(index, model) }
}

/// The columns a model was fetched without. While there are such models, every read of their context
/// asks whether it is one of them.
package final class MissingColumns {
  package let slots: PropertySet
  private let probe: TrackingProbe

  package init(_ slots: PropertySet, _ probe: TrackingProbe) {
    self.slots = slots
    self.probe = probe
    probe.incompleteModels += 1
  }

  deinit { probe.incompleteModels -= 1 }

  package func names(in definition: ModelDefinition) -> [String] {
    slots.slots.map { definition.layout.columns[$0].name }
  }
}

/// Detects two threads inside one context at the same time.
///
/// A context belongs to one isolation. The compiler checks this, except in code that opts out. This class detects the rest
/// at run time: with one atomic operation when a context reads or writes a store, and a load when a model changes. Debug
/// builds check every access to a model, and let it wait for the first thread.
@usableFromInline package final class ContextOccupancy: Sendable {
  /// What a thread does inside.
  package enum Operation: Int, CustomStringConvertible {
    case other, fetch, count, save, refresh, batch, rollback
    case insertion, deletion, assignment, write, read, relationship, lookup, release

    package var description: String {
      switch self {
      case .other: "an operation"
      case .fetch: "a fetch"
      case .count: "'fetchCount(_:)'"
      case .save: "'save()'"
      case .refresh: "a refresh after a commit elsewhere"
      case .batch: "a batch"
      case .insertion: "'insert(_:)'"
      case .deletion: "'delete(_:)'"
      case .rollback: "'rollback()'"
      // To a relationship with both ends, and to an attribute's value.
      case .assignment, .write: "an assignment to a property"
      case .read: "a read of a property"
      case .relationship: "a read of a relationship"
      case .lookup: "a lookup by identifier"
      case .release: "the release of a model"
      }
    }
  }

  /// The thread inside; 0 for none.
  private let occupant = Atomic<UInt>(0)
  private let operation = Atomic<Int>(0)
  /// True once a thread has waited in vain for the one inside.
  private let isBlocked = Atomic<Bool>(false)

  /// The reported operations, a bit each.
  private let reported = Atomic<UInt>(0)

  private static var thread: UInt { UInt(bitPattern: Int(bitPattern: pthread_self())) }
  /// What the thread inside does.
  private var present: Operation { Operation(rawValue: operation.load(ordering: .relaxed)) ?? .other }

  /// Whether a second thread is inside.
  package var isDisputed: Bool {
    let inside = occupant.load(ordering: .relaxed)
    return inside != 0 && inside != Self.thread
  }

  /// Runs a call as the only thread inside; calls within the call are the same thread's.
  ///
  /// - Throws: ``SwiftDataError/contextInUse``, before anything is read or written.
  package func occupy<Result>(_ own: Operation, _ body: () throws -> Result) throws -> Result {
    let thread = Self.thread
    let (isFirst, inside) = occupant.compareExchange(
      expected: 0, desired: thread, ordering: .acquiringAndReleasing)
    guard isFirst else {
      guard inside == thread else { throw contextInUse(own) }
      return try body()
    }
    operation.store(own.rawValue, ordering: .relaxed)
    defer { leave() }
    return try body()
  }

  private func contextInUse(_ own: Operation) -> SwiftDataError {
    .contextInUse.explained(
      "\(own) began while \(present) ran in another thread: a context belongs to one task or actor, so give each its own, "
        + "made from the container")
  }

  private func leave() {
    isBlocked.store(false, ordering: .relaxed)
    occupant.store(0, ordering: .releasing)
  }

  // MARK: Models

  /// Reports an operation on a model while a second thread is inside. In debug builds, both threads wait for each other.
  @inline(__always) package func visit<Result>(
    _ own: Operation, _ identifier: @autoclosure () -> PersistentIdentifier, _ body: () throws -> Result
  ) rethrows -> Result {
    #if DEBUG
      let isFirst = enter(own, identifier())
      defer { if isFirst { leave() } }
    #else
      if isDisputed { report(own, identifier()) }
    #endif
    return try body()
  }

  /// As ``visit(_:_:_:)`` in debug builds. Release builds check nothing: reads are too frequent.
  @inline(__always) package func inspect<Result>(
    _ own: Operation, _ identifier: @autoclosure () -> PersistentIdentifier, _ body: () throws -> Result
  ) rethrows -> Result {
    #if DEBUG
      try visit(own, identifier(), body)
    #else
      try body()
    #endif
  }

  /// Reports an operation, once per context: a loop in two threads would repeat the message thousands of times.
  private func report(_ own: Operation, _ identifier: PersistentIdentifier) {
    let bit = UInt(1) << UInt(own.rawValue)
    guard reported.bitwiseOr(bit, ordering: .relaxed).oldValue & bit == 0 else { return }
    ModelIssue.contextInUse(identifier, operation: "\(own)", during: "\(present)").report()
  }

  #if DEBUG
    /// The number of checks whether the first thread has left, and the microseconds between two checks.
    private static let looks = 5_000
    private static let pause: UInt32 = 100

    /// Waits for the thread inside, for at most half a second.
    ///
    /// - Returns: True if the thread has to leave, false if it was inside already or waited in vain.
    package func enter(_ own: Operation, _ identifier: @autoclosure () -> PersistentIdentifier) -> Bool {
      let thread = Self.thread
      for look in 0..<Self.looks {
        let (isFirst, inside) = occupant.compareExchange(
          expected: 0, desired: thread, ordering: .acquiringAndReleasing)
        if isFirst {
          operation.store(own.rawValue, ordering: .relaxed)
          return true
        }
        if inside == thread { return false }
        if look == 0 { report(own, identifier()) }
        if isBlocked.load(ordering: .relaxed) { return false }
        usleep(Self.pause)
      }
      isBlocked.store(true, ordering: .relaxed)
      return false
    }

    /// Ends the write of a value, if that is what the thread entered for.
    package func leaveWrite() {
      if occupant.load(ordering: .relaxed) == Self.thread, present == .write { leave() }
    }
  #endif
}
