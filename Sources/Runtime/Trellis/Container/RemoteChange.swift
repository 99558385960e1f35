public import Foundation

extension ModelContainer {
  /// Posted on any thread when another process, or another container, has saved to a store of a container with an
  /// observer. The notification has no object; ``RemoteChangeKey`` names the keys of its `userInfo`.
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
