public import Foundation

/// Which models to fetch, in which order and how many.
///
///     var upcoming = FetchDescriptor<Trip>(
///       predicate: #Predicate { $0.startDate > now }, sortBy: [SortDescriptor(\.startDate)])
///     upcoming.fetchLimit = 50
///     // SELECT … FROM "Trip" WHERE "startDate" > ? ORDER BY "startDate", "id" LIMIT 50
public struct FetchDescriptor<T: PersistentModel>:
  @unchecked Sendable  // key paths of models capture nothing
{
  /// The order, the most important descriptor first.
  public var sortBy: [SortDescriptor<T>]
  /// The most models to return; nil for no limit. 0 returns none.
  public var fetchLimit: Int?
  /// How many of the first matches to skip; past the end the result is empty.
  public var fetchOffset: Int? = 0
  /// Whether changes that are not saved count.
  public var includePendingChanges: Bool = true
  /// The attributes to load; empty for all of them.
  ///
  /// Reading another one asks the store again, for all models of the fetch. References to one model
  /// and required enums and structs are always loaded. A fetch throws
  /// ``SwiftDataError/unsupportedKeyPath`` for a key path that is no stored property.
  public var propertiesToFetch: [PartialKeyPath<T>] = []
  /// The relationships whose models are loaded with the result, with one question to the store each.
  ///
  /// A key path may lead through several: `\.livingAccommodation?.trip`. A fetch throws
  /// ``SwiftDataError/unsupportedKeyPath`` for one that is no relationship.
  public var relationshipKeyPathsForPrefetching: [PartialKeyPath<T>] = []
  // The last property, because its size is known only at run time: the others are then at fixed offsets, which generic
  // code reads without the metadata of the type.
  /// What the models must satisfy; nil for all models.
  public var predicate: Predicate<T>?

  /// Describes a fetch.
  ///
  /// - Parameters:
  ///   - predicate: what the models must satisfy; nil for all models.
  ///   - sortBy: the order, the most important descriptor first.
  public init(predicate: Predicate<T>? = nil, sortBy: [SortDescriptor<T>] = []) {
    self.predicate = predicate
    self.sortBy = sortBy
  }

  /// The spelling of 2023.
  @available(*, deprecated, message: "write 'FetchDescriptor(predicate: …, sortBy: [ … ])'")
  public init(sortBy: SortDescriptor<T>, predicate: Predicate<T>? = nil) {
    self.init(predicate: predicate, sortBy: [sortBy])
  }
}

extension FetchDescriptor: Equatable {
  /// Whether both descriptors ask for the same.
  ///
  /// Predicates are equal when they have the same shape, key paths and captured values. Where that
  /// cannot be told (a captured value that is not `Equatable`), they are not.
  public static func == (lhs: FetchDescriptor, rhs: FetchDescriptor) -> Bool {
    guard
      lhs.sortBy == rhs.sortBy && lhs.fetchLimit == rhs.fetchLimit
        && (lhs.fetchOffset ?? 0) == (rhs.fetchOffset ?? 0)
        && lhs.includePendingChanges == rhs.includePendingChanges
        && lhs.propertiesToFetch == rhs.propertiesToFetch
        && lhs.relationshipKeyPathsForPrefetching == rhs.relationshipKeyPathsForPrefetching
    else { return false }
    switch (lhs.predicate, rhs.predicate) {
    case (nil, nil): return true
    case (let lhs?, let rhs?):
      var comparison = ExpressionComparison()
      return comparison.areEqual(lhs.expression, rhs.expression)
    default: return false
    }
  }
}
