#if TRELLIS_SANITIZED
  import Foundation

  /// A replacement for the lock in `Synchronization` that the thread sanitizer can follow. Only built by `./run
  /// sanitize`.
  ///
  /// The sanitizer observes calls to system locks, and code that is compiled with the sanitizer. It sees the fast path
  /// of `Mutex`, but the slow path, taken under contention, is inside the standard library, so every contended access
  /// would be reported as a race.
  package struct SanitizedMutex<Value: ~Copyable>: ~Copyable, @unchecked Sendable {  // `value` is used under the lock
    private let lock = NSLock()
    private let value: UnsafeMutablePointer<Value>

    package init(_ initialValue: consuming sending Value) {
      value = .allocate(capacity: 1)
      value.initialize(to: initialValue)
    }

    deinit {
      value.deinitialize(count: 1)
      value.deallocate()
    }

    package borrowing func withLock<Result: ~Copyable, E: Error>(
      _ body: (inout sending Value) throws(E) -> sending Result
    ) throws(E) -> sending Result {
      lock.lock()
      defer { lock.unlock() }
      return try body(&value.pointee)
    }
  }

  // Each runtime module has this alias, which hides the type with the same name in `Synchronization`.
  typealias Mutex<Value: ~Copyable> = SanitizedMutex<Value>
#endif
