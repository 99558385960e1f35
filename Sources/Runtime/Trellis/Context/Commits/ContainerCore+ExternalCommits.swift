import Foundation
import Synchronization

extension ContainerCore {
  /// Passes the commits of other connections since the last call to the contexts of the container.
  ///
  /// Called before every fetch and save. Without such commits, it reads a number with SQLite, or asks a server.
  @inline(__always) func readExternalCommits() {
    for monitor in commitMonitors where monitor.mayHaveExternalCommits { read(monitor) }
  }

  /// Called when a store may have changed.
  private func storeMayHaveChanged() {
    for monitor in commitMonitors where monitor.isBlind || monitor.mayHaveExternalCommits { read(monitor) }
  }

  @inline(never) private func read(_ monitor: any CommitMonitor) {
    // Commits that cannot be read now are found by the next call.
    guard let found = try? monitor.externalCommits() else { return }
    hub.post(found.commit)
    remoteListeners.tell(found, of: monitor.identifier)
  }

  /// Reports commits of other connections when they happen, and not only with the next use of the store.
  func startSignals() {
    guard !commitMonitors.isEmpty else { return }
    signals.withLock { signals in
      guard signals.isEmpty else { return }
      signals = commitMonitors.map { monitor in monitor.signal { [weak self] in self?.storeMayHaveChanged() } }
    }
  }
}
