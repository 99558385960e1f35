import Foundation

/// The main context of a container, made on the first request.
final class MainContextBox: @unchecked Sendable {  // read and written on the main actor only
  var context: ModelContext?

  init(_ context: ModelContext? = nil) { self.context = context }

  /// The last reference to a container may go on any thread. Its main context, and through it models
  /// the main actor may be using, go on the main thread.
  deinit {
    guard let context, !Thread.isMainThread, !MainQueue.isCurrent else { return }
    nonisolated(unsafe) let last = context
    Task { @MainActor in withExtendedLifetime(last) {} }
  }
}
