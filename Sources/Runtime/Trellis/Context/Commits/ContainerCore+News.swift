import Foundation
import Synchronization

extension ContainerCore {
  /// Tells the contexts of the container what others have saved since the last look.
  ///
  /// Called before every fetch and save: where nobody else has committed, it looks at a number in memory.
  @inline(__always) func lookForNews() {
    for news in remoteNews where news.hasNews { take(news) }
  }

  /// Whether somebody else has committed since the last look.
  var hasNews: Bool { remoteNews.contains(where: \.hasNews) }

  /// The same when something has happened to a file.
  func lookAgain() {
    for news in remoteNews where news.isBlind || news.hasNews { take(news) }
  }

  @inline(never) private func take(_ news: RemoteNews) {
    // What cannot be read now is found by the next look.
    guard let found = try? news.look() else { return }
    hub.post(found.commit)
    remoteListeners.tell(found, of: news.store.identifier)
  }

  /// Has others' commits told of when they happen, and not only when a context next asks the store.
  func startSignals() {
    guard !remoteNews.isEmpty else { return }
    signals.withLock { signals in
      guard signals.isEmpty else { return }
      signals = remoteNews.map { news in
        FileSignal(news.store.configuration.url.path) { [weak self] in self?.lookAgain() }
      }
    }
  }
}
