import Foundation
import Synchronization
import Trellis

/// An in-memory container with the models of this target, and its contexts.
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

  /// Another context of the container, which the fixture retains.
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

/// Counts the issues reported during a test, by model.
///
/// The issue handler is global and tests run concurrently, so each test counts the issues of its own models only.
enum IssueLog {
  private static let issues = Mutex<[ModelIssue]>([])
  private static let isInstalled: Bool = {
    ModelIssue.setHandler { issue in issues.withLock { $0.append(issue) } }
    return true
  }()

  static func start() { _ = isInstalled }

  /// The number of rejected writes to a model.
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
