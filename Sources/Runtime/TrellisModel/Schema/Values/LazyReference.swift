import Synchronization

/// An object that the first reader makes, on any thread.
///
/// What `AtomicLazyReference` is; but that one's functions are not compiled into the library, and a look
/// at it takes six hundred instructions instead of three.
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

  /// The object; nil before there is one.
  @inline(__always) package borrowing func load() -> Instance? {
    guard let made = pointer.load(ordering: .acquiring) else { return nil }
    return Unmanaged<Instance>.fromOpaque(made).takeUnretainedValue()
  }

  /// Keeps the object, unless another thread has stored one first.
  ///
  /// - Returns: the one that is kept.
  package borrowing func storeIfNil(_ instance: Instance) -> Instance {
    let new = Unmanaged.passRetained(instance)
    let (isStored, other) = pointer.compareExchange(
      expected: nil, desired: new.toOpaque(), ordering: .acquiringAndReleasing)
    guard !isStored, let other else { return instance }
    new.release()
    return Unmanaged<Instance>.fromOpaque(other).takeUnretainedValue()
  }
}
