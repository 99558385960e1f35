#if TRELLIS_SANITIZED
  import Foundation

  /// The lock of `Synchronization` in a form the thread sanitizer can follow; only `./run sanitize`
  /// builds it.
  ///
  /// The sanitizer sees what is compiled with it and calls to the system's locks. Of `Mutex` it sees
  /// the quick way in; the slow one, taken when threads meet, is inside of the standard library, and
  /// every meeting would be reported as a race.
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

  // Each module of the runtime has this alias, which hides the type of `Synchronization` with the same name.
  typealias Mutex<Value: ~Copyable> = SanitizedMutex<Value>
#endif
