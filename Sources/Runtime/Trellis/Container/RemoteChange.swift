public import Foundation

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

  static func postRemoteChange(of store: String, _ token: DefaultHistoryToken?) {
    var info: [AnyHashable: Any] = [RemoteChangeKey.storeIdentifier: store]
    if let token { info[RemoteChangeKey.historyToken] = token }
    NotificationCenter.default.post(name: remoteChange, object: nil, userInfo: info)
  }
}
