import Foundation
import Synchronization

extension ContainerCore {
  /// Passes the commits of other connections since the last call to the contexts of the container.
  ///
  /// Called before every fetch and save. Without such commits, it only compares a number in memory.
  @inline(__always) func readExternalCommits() {
    for monitor in commitMonitors where monitor.hasExternalCommits { read(monitor) }
  }

  /// True if another connection has committed since the last call.
  var hasExternalCommits: Bool { commitMonitors.contains(where: \.hasExternalCommits) }

  /// Called when a file of a store has changed.
  func fileHasChanged() {
    for monitor in commitMonitors where monitor.isBlind || monitor.hasExternalCommits { read(monitor) }
  }

  @inline(never) private func read(_ monitor: ExternalCommitMonitor) {
    // Commits that cannot be read now are found by the next call.
    guard let found = try? monitor.look() else { return }
    hub.post(found.commit)
    remoteListeners.tell(found, of: monitor.store.identifier)
  }

  /// Reports commits of other connections when they happen, and not only with the next use of the store.
  func startSignals() {
    guard !commitMonitors.isEmpty else { return }
    signals.withLock { signals in
      guard signals.isEmpty else { return }
      signals = commitMonitors.map { monitor in
        FileSignal(monitor.store.configuration.url.path) { [weak self] in self?.fileHasChanged() }
      }
    }
  }
}
