import Foundation
import JSONStore
import Trellis
import TrellisPostgres

/// A verb's environment: console, store and current time.
struct Session {
  let console: Console
  let now: Date
  /// The store path, or the server and database.
  let path: String
  /// The configuration, which depends on the store path. All other code is independent of the store type.
  private let configuration: any DataStoreConfiguration

  /// - Parameter store: A path, `json:` and a path, or a URL that begins with `postgres:`; nil for the default
  ///   location.
  init(console: Console, store: String?, now: Date) {
    self.console = console
    self.now = now
    if let store, store.hasPrefix(Self.jsonPrefix) {
      let file = URL(fileURLWithPath: String(store.dropFirst(Self.jsonPrefix.count)))
      path = file.path
      configuration = JSONFileConfiguration("trips", url: file)
    } else if let store, Self.serverPrefixes.contains(where: store.hasPrefix) {
      let server = PostgresConfiguration("trips", url: store)
      path = server.place
      configuration = server
    } else {
      let database = TripsStore.configuration(store)
      path = database.url.path
      configuration = database
    }
  }

  private static let jsonPrefix = "json:"
  private static let serverPrefixes = ["postgres://", "postgresql://"]

  /// Creates a context. The store is created if it does not exist.
  func makeContext() throws -> ModelContext {
    let context = ModelContext(try TripsStore.container(configuration))
    context.author = "trips"
    return context
  }

  /// True if the store exists. Always true for a server, which is contacted when the store opens.
  var hasStore: Bool { configuration is PostgresConfiguration || FileManager.default.fileExists(atPath: path) }
  /// The configuration for an SQLite store; nil for a JSON file or a server.
  var database: ModelConfiguration? { configuration as? ModelConfiguration }

  /// Creates a context for an existing store.
  func openContext() throws -> ModelContext {
    guard hasStore else {
      throw Failure(
        message: "no store exists at \(path)",
        hint: "create a store with 'trips import FILE.csv' or 'trips add …'")
    }
    return try makeContext()
  }

  /// Opens an existing store that has a history.
  func historyContainer() throws -> ModelContainer {
    guard !(configuration is JSONFileConfiguration) else {
      throw Failure(message: "a JSON file does not have this kind of history")
    }
    return try openContext().container
  }
}
