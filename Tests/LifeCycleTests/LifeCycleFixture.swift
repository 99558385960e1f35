import Foundation
import Synchronization
import Trellis

/// A container in memory with the models of this target, and contexts on it.
final class LifeCycleFixture {
  let container: ModelContainer
  let context: ModelContext
  private var others: [ModelContext] = []

  init() throws {
    container = try Self.container()
    context = ModelContext(container)
  }

  static func container() throws -> ModelContainer {
    try ModelContainer(
      for: Studio.self, Artist.self, Painting.self, Sculpture.self, Ticket.self,
      configurations: ModelConfiguration(isStoredInMemoryOnly: true))
  }

  /// Another context of the container, kept as long as the fixture.
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

/// Counts the issues reported while a test runs, by the model they name.
///
/// The handler is one for the process and tests run side by side: each asks for its own models only.
enum IssueLog {
  private static let issues = Mutex<[ModelIssue]>([])
  private static let isInstalled: Bool = {
    ModelIssue.setHandler { issue in issues.withLock { $0.append(issue) } }
    return true
  }()

  static func start() { _ = isInstalled }

  /// The refused writes to a model.
  static func refusals(of identifier: PersistentIdentifier) -> Int {
    issues.withLock { issues in
      issues.count { issue in
        if case .writeToDeletedModel(identifier, _) = issue { true } else { false }
      }
    }
  }

  static func contains(_ isWanted: (ModelIssue) -> Bool) -> Bool {
    issues.withLock { $0.contains(where: isWanted) }
  }
}
