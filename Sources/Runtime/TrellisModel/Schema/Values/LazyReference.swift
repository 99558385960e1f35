import Synchronization

/// A lazily created object. The first reader on any thread stores it.
///
/// Equivalent to `AtomicLazyReference`, whose functions are not inlined into the library, so that a read takes 600
/// instructions instead of three.
package struct LazyReference<Instance: AnyObject & Sendable>: ~Copyable,
  @unchecked Sendable  // the pointer is atomic and written once
{
  package init() {}
  private let pointer = Atomic<UnsafeMutableRawPointer?>(nil)

  deinit {
    if let made = pointer.load(ordering: .acquiring) {
      Unmanaged<Instance>.fromOpaque(made).release()
    }
  }

  /// Returns the object; nil if it has not been created yet.
  @inline(__always) package borrowing func load() -> Instance? {
    guard let made = pointer.load(ordering: .acquiring) else { return nil }
    return Unmanaged<Instance>.fromOpaque(made).takeUnretainedValue()
  }

  /// Stores the object unless a concurrent thread stored an object first.
  ///
  /// - Returns: The stored object.
  package borrowing func storeIfNil(_ instance: Instance) -> Instance {
    let new = Unmanaged.passRetained(instance)
    let (isStored, other) = pointer.compareExchange(
      expected: nil, desired: new.toOpaque(), ordering: .acquiringAndReleasing)
    guard !isStored, let other else { return instance }
    new.release()
    return Unmanaged<Instance>.fromOpaque(other).takeUnretainedValue()
  }
}
