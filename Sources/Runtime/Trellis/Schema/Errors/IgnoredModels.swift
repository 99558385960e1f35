import Synchronization

/// What code of a migration wanted to be done, or to be read, and was not. The migration would be done without it.
final class IgnoredModels: Sendable {
  @TaskLocal static var current: IgnoredModels?

  private let first = Mutex<ModelIssue?>(nil)

  func note(_ issue: ModelIssue) {
    switch issue {
    case .foreignModel, .unknownModel, .unreadableModels, .unreadableRelationship, .writeToUnreadableModel,
      .missingValue:
      first.withLock { if $0 == nil { $0 = issue } }
    case .writeToDeletedModel, .deletedMember, .contextInUse, .changeDuringSave, .autosaveFailed, .unsavedChanges,
      .unreadableFile:
      // Code that fills values looks for the file itself.
      break
    }
  }

  /// Runs code of the program.
  ///
  /// - Parameter failure: makes an error of what was ignored.
  static func listening(_ failure: (ModelIssue) -> any Error, _ body: () throws -> Void) throws {
    let ignored = IgnoredModels()
    try $current.withValue(ignored) { try body() }
    if let issue = ignored.first.withLock({ $0 }) { throw failure(issue) }
  }
}
