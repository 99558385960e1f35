public import Foundation

/// The context a request to a store comes from.
public struct EditingState: Identifiable, Hashable, Sendable {
  /// The same in all requests of one context.
  public let id: UUID
  /// The origin the context wants its changes to be recorded with.
  public var author: String?
  /// Whether the changes of the context are told of in the history of the store. Not in SwiftData.
  public var recordsHistory = true

  /// Departing from SwiftData, stores can be called without a context.
  public init(id: UUID = .unique(), author: String? = nil) {
    self.id = id
    self.author = author
  }
}
