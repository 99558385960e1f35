import Foundation
import Trellis

/// An in-memory container for this target's models, and its contexts.
final class LifeCycleFixture {
  let container: ModelContainer
  let context: ModelContext
  private var others: [ModelContext] = []

  init() throws {
    container = try Self.container()
    context = ModelContext(container)
  }

  static func container(
    _ configuration: any DataStoreConfiguration = ModelConfiguration(isStoredInMemoryOnly: true)
  ) throws -> ModelContainer {
    try ModelContainer(
      for: Schema([Studio.self, Artist.self, Painting.self, Sculpture.self, Ticket.self]),
      configurations: [configuration])
  }

  /// A new context, which the fixture retains.
  func fresh() -> ModelContext {
    let context = ModelContext(container)
    others.append(context)
    return context
  }
}

func studio(_ name: String = "North", floor: Int = 0) -> Studio {
  Studio(name: name, opened: Date(timeIntervalSinceReferenceDate: 1000), floor: floor)
}

func artist(_ name: String) -> Artist { Artist(name: name) }
