import Foundation
import Trellis

/// The history position up to which changes were shown, stored in a file next to the store.
struct SeenToken {
  private let url: URL

  init(besideStore path: String) {
    url = URL(fileURLWithPath: path).deletingPathExtension().appendingPathExtension("unread")
  }

  /// Returns nil before the first use.
  func read() -> DefaultHistoryToken? {
    guard let data = try? Data(contentsOf: url) else { return nil }
    return try? JSONDecoder().decode(DefaultHistoryToken.self, from: data)
  }

  func write(_ token: DefaultHistoryToken?) throws {
    if let token {
      try JSONEncoder().encode(token).write(to: url, options: .atomic)
    } else if FileManager.default.fileExists(atPath: url.path) {
      try FileManager.default.removeItem(at: url)
    }
  }
}
