import Dispatch

/// The main dispatch queue.
enum MainQueue {
  /// On Linux another thread may serve the main queue.
  static var isCurrent: Bool { DispatchQueue.getSpecific(key: key) == true }

  private static let key: DispatchSpecificKey<Bool> = {
    let key = DispatchSpecificKey<Bool>()
    DispatchQueue.main.setSpecific(key: key, value: true)
    return key
  }()
}
