import Foundation

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
