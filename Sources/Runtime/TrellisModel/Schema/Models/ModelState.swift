import Foundation
import Observation
import Synchronization

/// A model's state other than the values: the owner and a side object that is created on demand. Occupies sixteen bytes
/// in each model.
public struct ModelState {
  /// The context's identity table in which the model is registered; nil outside a context. The table clears this
  /// reference before it is deallocated, so the pointer never dangles.
  @usableFromInline package var owner: Unmanaged<ModelOwner>?
  /// Observation, pending changes and loaded relationships. Created on demand.
  @usableFromInline package var side: TrackedState?

  /// Creates the state for a model outside a context.
  @inlinable public init() {}

  /// Creates the state for a model that the identity table is about to register.
  package init(owner: Unmanaged<ModelOwner>) { self.owner = owner }

  /// True if the next read is inside `withObservationTracking` and must be recorded.
  @inlinable public var isTracking: Bool {
    guard let owner else { return Self.isTrackingWithoutOwner }
    return owner._withUnsafeGuaranteedRef { $0.probe.isTracking }
  }

  @usableFromInline static var isTrackingWithoutOwner: Bool { ThreadState.isTracking }

  /// Removes a deallocated model from the context's identity map.
  ///
  /// Each class in a hierarchy calls this method. The first call comes from the object's own class, while all values
  /// exist.
  @inlinable public mutating func close(_ identifier: PersistentIdentifier) {
    guard let owner else { return }
    owner._withUnsafeGuaranteedRef { $0.release(identifier) }
    self.owner = nil
  }
}

/// A model's rarely needed state.
@usableFromInline package final class TrackedState {
  // Every write reads these properties, so they skip run-time exclusivity checks. While they change, no code runs that
  // reads them.

  /// Created by the first tracked read.
  @exclusivity(unchecked) package var registrar: ObservationRegistrar? {
    didSet { isObserved = registrar != nil }
  }
  /// True if there is a registrar. This is faster than testing the optional, whose layout is internal to Observation.
  @exclusivity(unchecked) package private(set) var isObserved = false
  /// The model's phase between insertion and deletion.
  @exclusivity(unchecked) package var phase: Phase = .clean
  /// The values at the last save or fetch, recorded at the first change.
  @exclusivity(unchecked) package var committed: FormerRow?
  /// True if the values were equal to `committed` when the model was deleted.
  package var isDeletedAsCommitted = false
  /// The stored properties written since the last save or fetch.
  @exclusivity(unchecked) package var changed = PropertySet()
  /// The to-many properties changed since the last save or fetch.
  @exclusivity(unchecked) package var changedLists = PropertySet()
  /// Loaded or assigned relationships, by to-many slot and, for models outside a context, by to-one slot. Exclusivity
  /// is not checked, because a check would slow down every list read, and `ModelLinks` calls no other code while it
  /// changes.
  @exclusivity(unchecked) package var links = ModelLinks()
  /// The columns that the fetch omitted; nil after any of them was read.
  package var missing: MissingColumns?
  /// True if the model was deleted. Remains true after the save.
  package var isDeleted = false
  /// True if the object's row could not be read. The object rejects writes.
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

  /// True for an object that represents a missing row. Contexts do not insert the object.
  package private(set) var isPlaceholder = false

  /// Makes a new object represent a missing row.
  package func becomePlaceholder() {
    phase = .gone
    isDeleted = true
    isPlaceholder = true
  }

  /// Resets the state to that of a model that has never been in a context.
  package func becomeNew() {
    becomeClean()
    isDeleted = false
    hasLostRow = false
  }

  /// Marks the current values as stored.
  package func becomeClean() {
    phase = .clean
    committed = nil
    changed = PropertySet()
    changedLists = PropertySet()
  }

  package enum Phase {
    /// Equal to the stored row.
    case clean
    /// Inserted into a context and unsaved.
    case inserted
    /// Changed since the last save.
    case changed
    /// `delete` was called; unsaved.
    case deleting
    /// The deletion was saved, the model was discarded before a save, or the row no longer exists.
    case gone
  }
}

/// A context's identity table, in which models are registered. Only this package can create instances, because the
/// initializer is not public.
open class ModelOwner {
  @usableFromInline package final let probe: TrackingProbe

  @usableFromInline package init(probe: TrackingProbe) { self.probe = probe }

  /// Removes a deallocated model.
  open func release(_ identifier: PersistentIdentifier) {}
}

extension PersistentModel {
  /// The side object. Created if it does not exist.
  package var side: TrackedState {
    if let side = _$state.side { return side }
    return makeSide(phase)
  }

  /// The side object for a model that is equal to the stored row.
  package var sideOfCleanModel: TrackedState { _$state.side ?? makeSide(.clean) }

  private func makeSide(_ phase: TrackedState.Phase) -> TrackedState {
    let side = TrackedState()
    side.phase = phase
    _$state.side = side
    return side
  }

  /// The model's phase. If there is no side object, the identifier determines the phase.
  package var phase: TrackedState.Phase {
    if let side = _$state.side { return side.phase }
    return _$state.owner != nil && _$identifier.isTemporary ? .inserted : .clean
  }

  /// True if relationships still include the model.
  package var isUsableTarget: Bool {
    guard let side = _$state.side else { return true }
    return side.phase != .deleting && side.phase != .gone
  }
}

/// A model's values at the last save or fetch.
package struct FormerRow {
  package let buffer: SnapshotBuffer
  package let index: Int
  /// Values that concurrent writers have overwritten since the context changed them, for ``ConflictPolicy/fail``.
  package var overtaken: Overtaken?

  /// The values when the change was made.
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

/// The columns that a fetch omitted. While a context contains models with omitted columns, every read checks whether
/// the model is incomplete.
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

/// Detects when two threads use a context concurrently.
///
/// A context belongs to one isolation. The compiler checks this, except in code that opts out. This class detects the
/// remaining cases at run time, with one atomic operation when a context reads or writes a store, and a load when a
/// model changes. Debug builds check every access to a model and make the access wait for the first thread.
@usableFromInline package final class ContextOccupancy: Sendable {
  /// The operation that a thread performs in a context.
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
      // Assignments to a relationship with an inverse, and to an attribute.
      case .assignment, .write: "an assignment to a property"
      case .read: "a read of a property"
      case .relationship: "a read of a relationship"
      case .lookup: "a lookup by identifier"
      case .release: "the release of a model"
      }
    }
  }

  /// The thread that uses the context; 0 if there is none.
  private let occupant = Atomic<UInt>(0)
  private let operation = Atomic<Int>(0)
  /// True after a thread has waited for the occupying thread and timed out.
  private let isBlocked = Atomic<Bool>(false)

  /// The reported operations, with one bit each.
  private let reported = Atomic<UInt>(0)

  private static var thread: UInt { UInt(bitPattern: Int(bitPattern: pthread_self())) }
  /// The occupying thread's operation.
  private var present: Operation { Operation(rawValue: operation.load(ordering: .relaxed)) ?? .other }

  /// True if a different thread uses the context.
  package var isDisputed: Bool {
    let inside = occupant.load(ordering: .relaxed)
    return inside != 0 && inside != Self.thread
  }

  /// Runs a call as the only thread in the context. Nested calls from the same thread are allowed.
  ///
  /// - Throws: ``SwiftDataError/contextInUse``, before anything is read or written.
  package func performExclusively<Result>(_ own: Operation, _ body: () throws -> Result) throws -> Result {
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
      "\(own) began while \(present) ran on another thread: a context belongs to one task or actor, so create a "
        + "separate context for each from the container")
  }

  private func leave() {
    isBlocked.store(false, ordering: .relaxed)
    occupant.store(0, ordering: .releasing)
  }

  // MARK: Models

  /// Reports an operation on a model while a second thread uses the context. In debug builds, the threads wait for each
  /// other.
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

  /// Equivalent to ``visit(_:_:_:)`` in debug builds. Release builds check nothing, because reads are too frequent.
  @inline(__always) package func inspect<Result>(
    _ own: Operation, _ identifier: @autoclosure () -> PersistentIdentifier, _ body: () throws -> Result
  ) rethrows -> Result {
    #if DEBUG
      try visit(own, identifier(), body)
    #else
      try body()
    #endif
  }

  /// Reports each operation once per context. A loop in two threads would repeat the message thousands of times.
  private func report(_ own: Operation, _ identifier: PersistentIdentifier) {
    let bit = UInt(1) << UInt(own.rawValue)
    guard reported.bitwiseOr(bit, ordering: .relaxed).oldValue & bit == 0 else { return }
    ModelIssue.contextInUse(identifier, operation: "\(own)", during: "\(present)").report()
  }

  #if DEBUG
    /// The maximum number of times to check whether the occupying thread has left, and the pause between two checks in
    /// microseconds.
    private static let looks = 5_000
    private static let pause: UInt32 = 100

    /// Waits for the occupying thread, for at most half a second.
    ///
    /// - Returns: True if the caller must leave afterwards; false if the thread was already inside or timed out.
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

    /// Ends the write of a value if the thread entered for a write.
    package func endWrite() {
      if occupant.load(ordering: .relaxed) == Self.thread, present == .write { leave() }
    }
  #endif
}
