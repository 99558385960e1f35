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
    guard let first = lhs.predicate, let second = rhs.predicate else {
      return lhs.predicate == nil && rhs.predicate == nil
    }
    var comparison = ExpressionComparison()
    return comparison.areEqual(first.expression, second.expression)
  }
}

/// The result of a fetch in batches: elements are loaded when they are reached.
///
/// Belongs to the context that fetched it and stays in its isolation.
public struct FetchResultsCollection<Element> {
  private let pages: FetchedPages<Element>

  /// - Parameters:
  ///   - count: how many elements there are.
  ///   - batchSize: how many are loaded at a time; 0 or less for all in one batch.
  ///   - load: gives exactly the elements of a range, in order.
  package init(count: Int, batchSize: Int, load: @escaping (Range<Int>) -> [Element]) {
    pages = FetchedPages(count: count, batchSize: batchSize > 0 ? batchSize : Swift.max(1, count), load: load)
  }
}

extension FetchResultsCollection: RandomAccessCollection {
  /// Positions are counted from 0.
  public typealias Index = Int
  /// All positions.
  public typealias Indices = Range<Int>

  public var startIndex: Int { 0 }
  public var endIndex: Int { pages.count }

  /// The element at a position. Loads the batch it is in, if it is not one of the last ones used.
  public subscript(position: Int) -> Element {
    precondition(indices.contains(position), "index out of range")
    return pages.element(position)
  }
}

/// The batches of a collection that were used last.
private final class FetchedPages<Element> {
  let count: Int
  private let batchSize: Int
  private let load: (Range<Int>) -> [Element]
  /// The last one used is at the end.
  private var pages: [(number: Int, elements: [Element])] = []
  private static var kept: Int { 4 }

  init(count: Int, batchSize: Int, load: @escaping (Range<Int>) -> [Element]) {
    self.count = count
    self.batchSize = batchSize
    self.load = load
  }

  func element(_ position: Int) -> Element {
    let number = position / batchSize
    if let last = pages.last, last.number == number {
      return last.elements[position - number * batchSize]
    }
    let page: (number: Int, elements: [Element])
    if let known = pages.firstIndex(where: { $0.number == number }) {
      page = pages.remove(at: known)
    } else {
      let first = number * batchSize
      page = (number, load(first..<min(first + batchSize, count)))
      if pages.count == Self.kept { pages.removeFirst() }
    }
    pages.append(page)
    return page.elements[position - number * batchSize]
  }
}

/// How a fetch is done: what the store answers, what is left to memory, and why.
///
///     let descriptor = FetchDescriptor<Trip>(
///       predicate: #Predicate { $0.destination == "Oslo" }, sortBy: [SortDescriptor(\.startDate)])
///     print(try descriptor.explain(in: context))
///     // fetch of Trip from 'default'
///     //   filter: in the store
///     //   sort: in the store
///     //   SQL: SELECT … FROM "Trip" AS "t0" WHERE ("t0"."destination" = ?) ORDER BY …
///     //   1 parameter: 'Oslo'
///     //   plan: SEARCH t0 USING INDEX Trip_destination (destination=?)
///     //   plan: USE TEMP B-TREE FOR ORDER BY
///
/// A test can hold a fetch to the store: `#expect(try descriptor.explain(in: context).runsInStore)`.
/// Not in SwiftData.
public struct FetchExplanation: Sendable, Hashable {
  /// Who does a part of the work.
  public enum Place: String, Sendable, Hashable {
    /// The store.
    case store = "in the store"
    /// The context, over models it has fetched.
    case memory = "in memory"
    /// Of a filter `a && b && c`, the store tests what comes before the first part it cannot test;
    /// the context tests the rest. Of a page, a store that is not ours takes what it can, and the
    /// context ends it at the limit.
    case both = "begun in the store, finished in memory"
  }

  /// One part of a fetch.
  public struct Part: Sendable, Hashable {
    /// What a descriptor can ask for.
    public enum Kind: String, Sendable, Hashable {
      /// The predicate.
      case filter
      /// The sort descriptors.
      case sort
      /// Limit and offset.
      case page
    }

    /// What is done.
    public let kind: Kind
    /// Where it is done.
    public let place: Place
    /// Why the part runs in memory; nil for what the store does.
    public let reason: String?
    /// The kind of expression that could not be translated, as `PredicateExpressions` names it.
    public let node: String?

    package init(kind: Kind, place: Place, reason: String?, node: String?) {
      self.kind = kind
      self.place = place
      self.reason = reason
      self.node = node
    }
  }

  /// The model that is fetched; empty for a ``SQLQuery``.
  public let entityName: String
  /// The name of the configuration whose store is asked.
  public let storeName: String
  /// What the descriptor asks for; a plain fetch of everything has no parts.
  public package(set) var parts: [Part] = []
  /// The statement the store runs; nil for a store that does not speak SQL.
  public package(set) var sql: String?
  /// The values of the statement's parameters, as SQL would spell them.
  public package(set) var parameters: [String] = []
  /// What SQLite says about how it runs the statement: EXPLAIN QUERY PLAN, indented by depth.
  public package(set) var queryPlan: [String] = []
  /// Why models with changes that are not saved are judged in memory; nil when none matters.
  public package(set) var mergeReason: String?
  /// What is answered without the store; nil when nothing is.
  public package(set) var shortcut: String?

  package init(
    entityName: String, storeName: String, parts: [Part] = [], sql: String? = nil, parameters: [String] = [],
    queryPlan: [String] = [], mergeReason: String? = nil, shortcut: String? = nil
  ) {
    self.entityName = entityName
    self.storeName = storeName
    self.parts = parts
    self.sql = sql
    self.parameters = parameters
    self.queryPlan = queryPlan
    self.mergeReason = mergeReason
    self.shortcut = shortcut
  }

  /// Whether the store does all of it, so that no model is loaded that is not in the result.
  public var runsInStore: Bool { parts.allSatisfy { $0.place == .store } }

  /// Whether pending changes make the context look at the result again.
  public var mergesPendingChanges: Bool { mergeReason != nil }

  /// The indexes the statement uses, by name; the primary key is called `primary key`.
  public var indexes: [String] {
    queryPlan.compactMap { row in
      if row.contains("USING INTEGER PRIMARY KEY") { return "primary key" }
      let words = row.split(separator: " ")
      guard let word = words.firstIndex(of: "INDEX"), word + 1 < words.count else { return nil }
      return String(words[word + 1])
    }
  }

  /// Whether every table is read through an index: searched, or gone through in its order.
  public var usesIndex: Bool {
    !queryPlan.isEmpty
      && !queryPlan.contains { row in
        row.contains("SCAN ") && !row.contains("json_each") && !row.contains("USING")
      }
  }
}

extension FetchExplanation: CustomStringConvertible {
  public var description: String {
    var lines = ["\(entityName.isEmpty ? "query" : "fetch of \(entityName)") from '\(storeName)'"]
    lines += parts.map(\.description)
    if let mergeReason { lines.append("pending changes: \(mergeReason)") }
    if let shortcut { lines.append("shortcut: \(shortcut)") }
    if let sql {
      lines.append("SQL: \(sql)")
      let count = parameters.count
      if count > 0 {
        let noun = count == 1 ? "parameter" : "parameters"
        lines.append("\(count) \(noun): \(parameters.joined(separator: ", "))")
      }
    }
    lines += queryPlan.map { "plan: \($0)" }
    return lines.joined(separator: "\n  ")
  }
}

extension FetchExplanation.Part: CustomStringConvertible {
  public var description: String {
    var text = "\(kind.rawValue): \(place.rawValue)"
    if let reason { text += ", because \(reason)" }
    if let node { text += " (\(node))" }
    return text
  }
}
