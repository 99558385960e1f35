import Foundation
import JSONStore
import Trellis
import TrellisPostgres

/// The environment of a verb: its console, store and current time.
struct Session {
  let console: Console
  let now: Date
  /// The path of the store, or the server and the database.
  let path: String
  /// The configuration, which depends on the path of the store. All other code is independent of the kind of store.
  private let configuration: any DataStoreConfiguration

  /// - Parameter store: A path, `json:` and a path, or a URL that begins with `postgres:`; nil for the default location.
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

  /// A new context. The store is created if it does not exist.
  func makeContext() throws -> ModelContext {
    let context = ModelContext(try TripsStore.container(configuration))
    context.author = "trips"
    return context
  }

  /// True if the store exists. A server is asked when the store opens.
  var hasStore: Bool { configuration is PostgresConfiguration || FileManager.default.fileExists(atPath: path) }
  /// The configuration of a SQLite store; nil for a JSON file and a server.
  var database: ModelConfiguration? { configuration as? ModelConfiguration }

  /// A context of an existing store.
  func openContext() throws -> ModelContext {
    guard hasStore else {
      throw Failure(
        message: "there is no store at \(path)",
        hint: "'trips import FILE.csv' or 'trips add …' makes one")
    }
    return try makeContext()
  }

  /// The container of an existing store with a history.
  func historyContainer() throws -> ModelContainer {
    guard !(configuration is JSONFileConfiguration) else {
      throw Failure(message: "a JSON file has no history of this kind")
    }
    return try openContext().container
  }
}
