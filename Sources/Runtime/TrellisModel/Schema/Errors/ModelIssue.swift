import Foundation
import Synchronization

/// Misuse that neither traps nor throws. A handler receives it.
public enum ModelIssue: Sendable, CustomStringConvertible {
  /// A property of a deleted model was set. The write did nothing.
  case writeToDeletedModel(PersistentIdentifier, property: String)
  /// A property of an object was set whose row could not be read. The write did nothing, so that no
  /// value replaces one that was not read.
  case writeToUnreadableModel(PersistentIdentifier, property: String)
  /// A model of another container was assigned to a relationship and could not be found here.
  case foreignModel(PersistentIdentifier, property: String)
  /// A model was inserted whose class the container does not have.
  case unknownModel(PersistentIdentifier, reason: String)
  /// A deleted model was assigned to a relationship. The assignment left it out.
  case deletedMember(PersistentIdentifier, property: String)
  /// A relationship could not be read from its store; it reads as empty.
  case unreadableRelationship(PersistentIdentifier, property: String, reason: String)
  /// Rows could not be read from their store, the first of them that of this model. Objects that only
  /// know their identifier stand for them; they are not deleted.
  case unreadableModels(PersistentIdentifier, count: Int, reason: String)
  /// A model was inserted, changed or deleted while a second thread used the context. Debug builds report reads, too.
  ///
  /// `operation` and `during` describe the two threads' operations. Give each task a separate context.
  case contextInUse(PersistentIdentifier, operation: String, during: String)
  /// A custom store changed a model of the context whose changes it was saving. The change was refused,
  /// as it would have passed for saved.
  case changeDuringSave(PersistentIdentifier, property: String)
  /// A context could not save by itself. The changes are still pending.
  case autosaveFailed(reason: String)
  /// The program has released a context with unsaved changes of this many models that it does not hold. The changes are
  /// lost.
  case unsavedChanges(count: Int)

  /// The file of an `@Attribute(.externalStorage)` property is missing or damaged. The property reads
  /// as nil or empty; nothing is overwritten unless something else is assigned to it.
  case unreadableFile(path: String, reason: String)

  /// A required property was read whose row was deleted or unreadable. The schema does not know the type, the property has
  /// no default value, and the type decodes from no made-up value. If `isReplaced` is true, the last value of the type that
  /// the process has read or saved was returned. Otherwise no such value exists, and the process stops with this message.
  case missingValue(property: String, type: String, isReplaced: Bool)

  public var description: String {
    switch self {
    case .missingValue(let property, let type, let isReplaced):
      "'\(property)' was read where it has no value, because its row is gone or was not read, "
        + (isReplaced ? "and another '\(type)' was returned" : "and there is no other '\(type)'")
        + ": give the property a default value, declare '\(type)' in the schema, or make the property optional"
    case .writeToDeletedModel(let identifier, let property):
      "ignored a write to \(property) of \(identifier), which is deleted"
    case .writeToUnreadableModel(let identifier, let property):
      "ignored a write to \(property) of \(identifier), whose row could not be read"
    case .foreignModel(let identifier, let property):
      "ignored \(identifier) for \(property): it belongs to another context and has not been saved"
    case .unknownModel(let identifier, let reason):
      "ignored \(identifier) for insert(_:): \(reason)"
    case .deletedMember(let identifier, let property):
      "ignored \(identifier) for \(property): it is deleted"
    case .unreadableRelationship(let identifier, let property, let reason):
      "could not read \(property) of \(identifier): \(reason)"
    case .unreadableModels(let identifier, let count, let reason):
      "could not read \(identifier)\(count > 1 ? " and \(count - 1) more" : ""): \(reason)"
    case .contextInUse(let identifier, let operation, let during):
      "\(operation) of \(identifier) began while \(during) ran in another thread: give each task its own context"
    case .changeDuringSave(let identifier, let property):
      "ignored \(property) of \(identifier) inside of the 'save(_:)' of a store: return what the store "
        + "has changed as 'snapshotsToReregister', or use another context"
    case .unreadableFile(let path, let reason):
      "could not read the data in '\(path)': \(reason)"
    case .autosaveFailed(let reason):
      "could not save by itself: \(reason)"
    case .unsavedChanges(let count):
      "lost \(count) pending models of a context that has gone away: keep it, or call save()"
    }
  }

  /// A closure that is a generic value itself is wrapped once more each time the lock gives it out.
  private struct Handler {
    var take: @Sendable (ModelIssue) -> Void
  }

  private static let handler = Mutex(
    Handler { FileHandle.standardError.write(Data("Trellis: \($0)\n".utf8)) })

  /// Replaces what happens with issues. The default prints a line to standard error.
  ///
  ///     ModelIssue.setHandler { logger.warning("\($0)") }
  public static func setHandler(_ handler: @escaping @Sendable (ModelIssue) -> Void) {
    self.handler.withLock { $0 = Handler(take: handler) }
  }

  package func report() {
    IgnoredModels.current?.note(self)
    let handler = Self.handler.withLock { $0 }
    handler.take(self)
  }
}

/// What code of a migration wanted to be done, or to be read, and was not. The migration would be done without it.
package final class IgnoredModels: Sendable {
  @TaskLocal package static var current: IgnoredModels?

  private let first = Mutex<ModelIssue?>(nil)

  func note(_ issue: ModelIssue) {
    switch issue {
    case .foreignModel, .unknownModel, .unreadableModels, .unreadableRelationship, .writeToUnreadableModel,
      .missingValue:
      first.withLock { if $0 == nil { $0 = issue } }
    // Code that fills values looks for unreadable files itself.
    default: break
    }
  }

  /// Runs code of the program.
  ///
  /// - Parameter failure: makes an error of what was ignored.
  package static func listening(_ failure: (ModelIssue) -> any Error, _ body: () throws -> Void) throws {
    let ignored = IgnoredModels()
    try $current.withValue(ignored) { try body() }
    if let issue = ignored.first.withLock({ $0 }) { throw failure(issue) }
  }
}
