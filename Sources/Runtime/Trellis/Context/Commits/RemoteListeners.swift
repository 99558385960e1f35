import Foundation
import Synchronization

/// Who wants to hear what others have saved.
final class RemoteListeners: Sendable {
  private struct Listener {
    weak var observer: HistoryObserver?
  }

  private let listeners = Mutex<[Listener]>([])

  func add(_ observer: HistoryObserver) {
    listeners.withLock { listeners in
      listeners.removeAll { $0.observer == nil }
      listeners.append(Listener(observer: observer))
    }
  }

  func tell(_ found: RemoteNews.Found, of store: String) {
    let observers = listeners.withLock { $0.compactMap(\.observer) }
    for observer in observers { observer.note(found) }
    var info: [AnyHashable: Any] = [ModelContainer.RemoteChangeKey.storeIdentifier: store]
    if let token = found.transactions.last?.token {
      info[ModelContainer.RemoteChangeKey.historyToken] = token
    }
    NotificationCenter.default.post(name: ModelContainer.remoteChange, object: nil, userInfo: info)
  }
}

extension ModelContainer {
  /// Posted when another process, or another container, has saved to the store of a container that
  /// somebody observes. There is no object; see ``RemoteChangeKey``. It may come on any thread.
  public static let remoteChange = Notification.Name("Trellis.ModelContainer.remoteChange")

  /// The keys of a ``remoteChange`` notification's `userInfo`.
  public enum RemoteChangeKey: String, Sendable {
    /// The identifier of the store.
    case storeIdentifier
    /// The ``DefaultHistoryToken`` of the last transaction; not there where nothing was recorded.
    case historyToken
  }
}
