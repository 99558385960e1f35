import Foundation
import Trellis
import TrellisJSON

/// What a verb works with: where to write, which store, and what time it is.
struct Session {
  let console: Console
  let now: Date
  private let place: URL
  /// The place of the store says of what kind it is: nothing else differs.
  private let configuration: any DataStoreConfiguration

  /// - Parameter store: a path, or `json:` and a path; nil for the default place.
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

  /// A context to work in. Makes the store when there is none.
  func makeContext() throws -> ModelContext {
    let context = ModelContext(try TripsStore.container(configuration))
    context.author = "trips"
    return context
  }

  /// Where the store is, or would be.
  var path: String { place.path }
  var hasStore: Bool { FileManager.default.fileExists(atPath: path) }
  /// The store as a database; nil when it is none.
  var database: ModelConfiguration? { configuration as? ModelConfiguration }

  /// A context over a store that exists.
  func openContext() throws -> ModelContext {
    guard hasStore else {
      throw Failure(
        message: "there is no store at \(path)",
        hint: "'trips import FILE.csv' or 'trips add …' makes one")
    }
    return try makeContext()
  }

  /// The container of a store that exists and remembers what was changed.
  func historyContainer() throws -> ModelContainer {
    guard database != nil else {
      throw Failure(message: "a JSON file does not remember who has changed what")
    }
    return try openContext().container
  }
}
