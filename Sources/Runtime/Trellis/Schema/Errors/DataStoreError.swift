public import Foundation

/// What a store answers when it cannot do what a request asks.
public enum DataStoreError: Error, Hashable, Sendable {
  /// The predicate means nothing to the store.
  case invalidPredicate
  /// The store cannot filter as asked: the context fetches everything and filters.
  case preferInMemoryFilter
  /// The store cannot sort as asked: the context sorts.
  case preferInMemorySort
  /// The store has no such ability.
  case unsupportedFeature
}

extension DataStoreError: LocalizedError, CustomStringConvertible {
  public var description: String {
    switch self {
    case .invalidPredicate: "the store cannot make sense of the predicate"
    case .preferInMemoryFilter: "the store leaves filtering to the context"
    case .preferInMemorySort: "the store leaves sorting to the context"
    case .unsupportedFeature: "the store does not support this"
    }
  }

  public var errorDescription: String? { description }
}
