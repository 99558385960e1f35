import Foundation
import Trellis
import TrellisJSON

/// The environment of a verb: its console, store and current time.
struct Session {
  let console: Console
  let now: Date
  private let place: URL
  /// The configuration, which depends on the path of the store. All other code is independent of the kind of store.
  private let configuration: any DataStoreConfiguration

  /// - Parameter store: A path, or `json:` and a path; nil for the default location.
  init(console: Console, store: String?, now: Date) {
    self.console = console
    self.now = now
    if let store, store.hasPrefix(Self.jsonPrefix) {
      place = URL(fileURLWithPath: String(store.dropFirst(Self.jsonPrefix.count)))
      configuration = JSONFileConfiguration("trips", url: place)
    } else {
      let database = TripsStore.configuration(store)
      place = database.url
      configuration = database
    }
  }

  private static let jsonPrefix = "json:"

  /// A new context. The store is created if it does not exist.
  func makeContext() throws -> ModelContext {
    let context = ModelContext(try TripsStore.container(configuration))
    context.author = "trips"
    return context
  }

  /// The path of the store.
  var path: String { place.path }
  var hasStore: Bool { FileManager.default.fileExists(atPath: path) }
  /// The configuration of a SQLite store; nil for a JSON file.
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
    guard database != nil else {
      throw Failure(message: "a JSON file does not remember who has changed what")
    }
    return try openContext().container
  }
}
