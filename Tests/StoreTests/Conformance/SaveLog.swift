import Synchronization
import Trellis

/// The log of ``LoggingStore``.
final class SaveLog: Sendable {
  private let lines = Mutex<[String]>([])

  func note(_ request: DataStoreSaveChangesRequest<DefaultSnapshot>) {
    lines.withLock {
      $0.append("+\(request.inserted.count) ~\(request.updated.count) -\(request.deleted.count)")
    }
  }

  var all: [String] { lines.withLock { $0 } }
}
