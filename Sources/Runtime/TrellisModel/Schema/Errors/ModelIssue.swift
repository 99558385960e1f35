import Foundation
import Synchronization

/// Incorrect use that neither traps nor throws. Issues are reported to a handler.
///
/// ```swift
/// ModelIssue.setHandler { issue in
///   if case .contextInUse = issue { assertionFailure("\(issue)") }
///   print(issue)
/// }
/// ```
///
/// Not in SwiftData.
public enum ModelIssue: Sendable, CustomStringConvertible {
  /// A deleted model's property was set. The write was ignored.
  case writeToDeletedModel(PersistentIdentifier, property: String)
  /// A property was set on an object with an unreadable row. The write was ignored, so that it cannot replace a value
  /// that was not read.
  case writeToUnreadableModel(PersistentIdentifier, property: String)
  /// A model from a different context was inserted, or a model from a different container was assigned to a
  /// relationship. The model was ignored.
  case foreignModel(PersistentIdentifier, property: String)
  /// A model was inserted, but its class is not in the container.
  case unknownModel(PersistentIdentifier, reason: String)
  /// A deleted model was assigned to a relationship. The assignment omitted the model.
  case deletedMember(PersistentIdentifier, property: String)
  /// A relationship could not be read from the store, and reads as empty.
  case unreadableRelationship(PersistentIdentifier, property: String, reason: String)
  /// Rows could not be read from the store, beginning with this model's row. They are represented by objects that
  /// contain only the identifier. The rows are not deleted.
  case unreadableModels(PersistentIdentifier, count: Int, reason: String)
  /// A model was inserted, changed or deleted while a second thread used the context. Debug builds also report reads.
  ///
  /// `operation` and `during` describe the two threads' operations. Give each task a separate context.
  case contextInUse(PersistentIdentifier, operation: String, during: String)
  /// A custom store changed a model in the context that was saving. The change was rejected, because it would have
  /// counted as saved.
  case changeDuringSave(PersistentIdentifier, property: String)
  /// A context failed to autosave. The changes are still pending.
  case autosaveFailed(reason: String)
  /// Your code released a context that had unsaved changes to this many models, and did not retain the models. The
  /// changes are lost.
  case unsavedChanges(count: Int)

  /// The file of an `@Attribute(.externalStorage)` property is missing or damaged. The property reads as nil or empty.
  /// The stored value is overwritten only if a new value is assigned.
  case unreadableFile(path: String, reason: String)

  /// A required property was read, but the row is deleted or unreadable. The property's type is not in the schema and
  /// cannot be decoded from placeholder values, and the property has no default value. If `isReplaced` is true, the
  /// property returned the most recent value of that type that the process has read or saved. Otherwise no such value
  /// exists, and the process stops with this message.
  case missingValue(property: String, type: String, isReplaced: Bool)

  /// The issue in English, with the affected model or file.
  public var description: String {
    switch self {
    case .missingValue(let property, let type, let isReplaced):
      "'\(property)' has no value, because its row is deleted or could not be read, and "
        + (isReplaced ? "the last known value of type '\(type)' was returned" : "no value of type '\(type)' is known")
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
      "\(operation) of \(identifier) began while \(during) ran on another thread: give each task its own context"
    case .changeDuringSave(let identifier, let property):
      "ignored a change to \(property) of \(identifier) inside a store's 'save(_:)': return the store's "
        + "changes as 'snapshotsToReregister', or use another context"
    case .unreadableFile(let path, let reason):
      "could not read the data in '\(path)': \(reason)"
    case .autosaveFailed(let reason):
      "could not autosave: \(reason)"
    case .unsavedChanges(let count):
      "lost unsaved changes to \(count) models of a released context: retain the context, or call save()"
    }
  }

  /// A struct, because a closure stored directly as a generic value is wrapped again by each access through the lock.
  private struct Handler {
    var take: @Sendable (ModelIssue) -> Void
  }

  private static let handler = Mutex(
    Handler { FileHandle.standardError.write(Data("Trellis: \($0)\n".utf8)) })

  /// Replaces the issue handler. The default handler prints a line to standard error.
  ///
  /// A debug build can stop at the first issue:
  ///
  /// ```swift
  /// ModelIssue.setHandler { assertionFailure("\($0)") }
  /// ```
  ///
  /// - Parameter handler: Called once per issue, on the thread that caused it. Several threads may call it
  ///   concurrently.
  public static func setHandler(_ handler: @escaping @Sendable (ModelIssue) -> Void) {
    self.handler.withLock { $0 = Handler(take: handler) }
  }

  package func report() {
    IgnoredModels.current?.record(self)
    let handler = Self.handler.withLock { $0 }
    handler.take(self)
  }
}

/// Records the changes and reads that were ignored while a migration's code ran. Otherwise, the migration would
/// complete with missing values.
package final class IgnoredModels: Sendable {
  @TaskLocal package static var current: IgnoredModels?

  private let first = Mutex<ModelIssue?>(nil)

  func record(_ issue: ModelIssue) {
    switch issue {
    case .foreignModel, .unknownModel, .unreadableModels, .unreadableRelationship, .writeToUnreadableModel,
      .missingValue:
      first.withLock { if $0 == nil { $0 = issue } }
    // Code that fills values checks for unreadable files itself.
    default: break
    }
  }

  /// Runs app code, and throws if an operation was ignored.
  ///
  /// - Parameter failure: Creates an error from the first ignored operation.
  package static func listening(_ failure: (ModelIssue) -> any Error, _ body: () throws -> Void) throws {
    let ignored = IgnoredModels()
    try $current.withValue(ignored) { try body() }
    if let issue = ignored.first.withLock({ $0 }) { throw failure(issue) }
  }
}
