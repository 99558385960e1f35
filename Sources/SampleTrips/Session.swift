import Foundation
import Trellis

/// What a verb works with: where to write, which store, and what time it is.
struct Session {
  let console: Console
  let now: Date
  private let configuration: ModelConfiguration

  /// - Parameter store: a path; nil for the default place.
  init(console: Console, store: String?, now: Date) {
    self.console = console
    self.now = now
    configuration =
      store.map { ModelConfiguration(url: URL(fileURLWithPath: $0)) } ?? ModelConfiguration("trips")
  }

  /// A context to work in. Makes the store when there is none.
  func makeContext() throws -> ModelContext {
    let container = try ModelContainer(for: Trip.self, configurations: configuration)
    let context = ModelContext(container)
    context.author = "trips"
    return context
  }

  /// A context over a store that exists.
  func openContext() throws -> ModelContext {
    guard FileManager.default.fileExists(atPath: configuration.url.path) else {
      throw Failure(
        message: "there is no store at \(configuration.url.path)",
        hint: "'trips import FILE.csv' or 'trips add …' makes one")
    }
    return try makeContext()
  }
}
