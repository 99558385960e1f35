import Synchronization
public import Trellis

/// Counts the issues reported during a test, by model.
///
/// The issue handler is global and tests run concurrently, so all tests share this log, and each test only counts
/// issues for its own models.
public enum IssueLog {
  private static let issues = Mutex<[ModelIssue]>([])
  private static let isInstalled: Bool = {
    ModelIssue.setHandler { issue in issues.withLock { $0.append(issue) } }
    return true
  }()

  public static func start() { _ = isInstalled }

  /// The number of rejected writes to a model.
  public static func refusals(of identifier: PersistentIdentifier) -> Int {
    issues.withLock { issues in
      issues.count { issue in
        if case .writeToDeletedModel(identifier, _) = issue { true } else { false }
      }
    }
  }

  public static func contains(_ isWanted: (ModelIssue) -> Bool) -> Bool {
    issues.withLock { $0.contains(where: isWanted) }
  }
}
