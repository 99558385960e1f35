import Foundation
public import Observation

/// Tells whether code is running inside `withObservationTracking`.
///
/// Observation has no public function for this, but its registrar hashes the key path of an access
/// only inside `withObservationTracking`. The probe's key path has a subscript argument that sets a flag when
/// it is hashed. A test watches that this stays true. One probe a context, and one a thread for models
/// without one.
@usableFromInline final class TrackingProbe: Observable {
  struct Key: Hashable, @unchecked Sendable {  // used in the isolation of its context only
    let flag: UnsafeMutablePointer<Bool>

    static func == (lhs: Key, rhs: Key) -> Bool { lhs.flag == rhs.flag }

    func hash(into hasher: inout Hasher) { flag.pointee = true }
  }

  /// Which thread uses the context.
  let occupancy = ContextOccupancy()
  private let registrar = ObservationRegistrar()
  private let flag: UnsafeMutablePointer<Bool>
  private let path: KeyPath<TrackingProbe, Int>

  subscript(key: Key) -> Int { 0 }

  init() {
    flag = .allocate(capacity: 1)
    flag.initialize(to: false)
    path = \TrackingProbe.[Key(flag: flag)]
  }

  deinit { flag.deallocate() }

  /// Whether a model of the context was ever deleted or dropped, so that lists may name some that are
  /// not to be seen.
  var hasUnusableModels = false

  /// True if each write has to be reported: to an undo manager, autosave, results observers or an
  /// index of pending values.
  @exclusivity(unchecked) var hasListeners = false

  /// How many models were fetched without some of their values.
  var incompleteModels = 0

  /// True if a read has to be reported to the model first.
  @usableFromInline var isTracking: Bool {
    #if DEBUG
      if occupancy.isDisputed { return true }
    #endif
    return incompleteModels > 0 || isObserved
  }

  /// Whether the read is inside `withObservationTracking`.
  var isObserved: Bool {
    flag.pointee = false
    registrar.access(self, keyPath: path)
    return flag.pointee
  }
}

/// A probe for models without a context: one a thread, made when the thread first reads one.
enum ThreadProbe {
  private static let key: pthread_key_t = {
    var key = pthread_key_t()
    pthread_key_create(&key) { probe in
      guard let probe = probe as UnsafeMutableRawPointer? else { return }
      Unmanaged<TrackingProbe>.fromOpaque(probe).release()
    }
    return key
  }()

  static var isTracking: Bool {
    if let known = pthread_getspecific(key) {
      return Unmanaged<TrackingProbe>.fromOpaque(known)._withUnsafeGuaranteedRef { $0.isTracking }
    }
    let probe = TrackingProbe()
    pthread_setspecific(key, Unmanaged.passRetained(probe).toOpaque())
    return probe.isTracking
  }
}
