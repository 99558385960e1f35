public import Foundation

/// The context that sends a request to a store.
public struct EditingState: Identifiable, Hashable, Sendable {
  /// The identifier of the context, equal in all its requests.
  public let id: UUID
  /// The author that the history records for the changes of the context.
  public var author: String?
  /// True if the history of the store records the changes of the context. Not in SwiftData.
  public var recordsHistory = true

  /// Creates an editing state. Unlike in SwiftData, the initialiser is public, so that stores can be called without a
  /// context.
  public init(id: UUID = .unique(), author: String? = nil) {
    self.id = id
    self.author = author
  }
}
