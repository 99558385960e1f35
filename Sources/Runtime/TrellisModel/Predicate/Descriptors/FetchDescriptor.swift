public import Foundation

/// Describes the models to fetch, the sort order and the limit.
///
/// ```swift
/// let now = Date()
/// var upcoming = FetchDescriptor<Trip>(
///   predicate: #Predicate { $0.startDate > now }, sortBy: [SortDescriptor(\.startDate)])
/// upcoming.fetchLimit = 50
/// let trips = try context.fetch(upcoming)
/// // SELECT … FROM "Trip" AS "t0" WHERE ("t0"."startDate" > ?) ORDER BY "t0"."startDate", "t0"."id" LIMIT ? OFFSET ?
/// ```
///
/// <doc:Predicates> lists the expressions that a predicate may contain, and <doc:SortingAndExplain> the order of each
/// type of value. With `import Trellis`, text is sorted by code points, so `"Z"` comes before `"a"`.
public struct FetchDescriptor<T: PersistentModel>:
  @unchecked Sendable  // key paths of models capture nothing
{
  /// The sort descriptors, in descending priority; empty to sort by identifier.
  public var sortBy: [SortDescriptor<T>]
  /// The maximum number of models to return; nil for no limit. 0 returns none.
  public var fetchLimit: Int?
  /// The number of matching models to skip; nil is the same as 0. The result is empty if the offset exceeds the number
  /// of matches.
  public var fetchOffset: Int? = 0
  /// True to include the context's unsaved changes, false to fetch the saved state.
  public var includePendingChanges: Bool = true
  /// The attributes to load; empty for all attributes.
  ///
  /// Reading an omitted attribute loads it from the store for all models in the fetch. To-one references and required
  /// enums and structs are always loaded. A fetch throws ``SwiftDataError/unsupportedKeyPath`` if a key path is not a
  /// stored property.
  public var propertiesToFetch: [PartialKeyPath<T>] = []
  /// The relationships whose models are loaded together with the result, with one query each.
  ///
  /// A key path can span several relationships: `\.livingAccommodation?.trip`. A fetch throws
  /// ``SwiftDataError/unsupportedKeyPath`` if a key path is not a relationship.
  public var relationshipKeyPathsForPrefetching: [PartialKeyPath<T>] = []
  // This is the last property, because its size is known only at run time. All other properties have fixed offsets,
  // which generic code accesses directly, independent of type metadata.
  /// The condition that models must satisfy; nil selects all models.
  public var predicate: Predicate<T>?

  /// Creates a fetch descriptor.
  ///
  /// ```swift
  /// let all = FetchDescriptor<Trip>()
  /// let inOslo = FetchDescriptor<Trip>(
  ///   predicate: #Predicate { $0.destination == "Oslo" },
  ///   sortBy: [SortDescriptor(\.startDate, order: .reverse), SortDescriptor(\.name)])
  /// ```
  ///
  /// - Parameters:
  ///   - predicate: The condition that models must satisfy; nil selects all models.
  ///   - sortBy: The sort descriptors, in descending priority. Models with equal values are ordered by identifier.
  public init(predicate: Predicate<T>? = nil, sortBy: [SortDescriptor<T>] = []) {
    self.predicate = predicate
    self.sortBy = sortBy
  }

  /// SwiftData's original initializer. Write the predicate first, and the sort descriptors as an array:
  ///
  /// ```swift
  /// let byName = FetchDescriptor<Trip>(sortBy: [SortDescriptor(\.name)])
  /// ```
  @available(*, deprecated, message: "write 'FetchDescriptor(predicate: …, sortBy: [ … ])'")
  public init(sortBy: SortDescriptor<T>, predicate: Predicate<T>? = nil) {
    self.init(predicate: predicate, sortBy: [sortBy])
  }
}

extension FetchDescriptor: Equatable {
  /// Returns true if both descriptors describe the same fetch.
  ///
  /// Predicates are equal if they have the same structure, key paths and captured values. Predicates with a captured
  /// value that is not `Equatable` are unequal.
  ///
  /// ```swift
  /// func inPlace(_ place: String) -> FetchDescriptor<Trip> {
  ///   FetchDescriptor(predicate: #Predicate { $0.destination == place })
  /// }
  /// print(inPlace("Oslo") == inPlace("Oslo"), inPlace("Oslo") == inPlace("Bergen"))  // true false
  /// ```
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

/// The result of a fetch in batches. Elements are loaded on demand.
///
/// ```swift
/// let trips = try context.fetch(FetchDescriptor<Trip>(sortBy: [SortDescriptor(\.startDate)]), batchSize: 100)
/// print(trips.count)
/// for trip in trips.prefix(20) { print(trip.name) }  // loads the first 100 models
/// ```
///
/// The collection belongs to the context that fetched it and must remain in the same isolation.
public struct FetchResultsCollection<Element> {
  private let pages: FetchedPages<Element>

  /// - Parameters:
  ///   - count: The number of elements.
  ///   - batchSize: The number of elements to load at a time; 0 or less loads all in one batch.
  ///   - load: Returns exactly the elements in a range, in order.
  package init(count: Int, batchSize: Int, load: @escaping (Range<Int>) -> [Element]) {
    pages = FetchedPages(count: count, batchSize: batchSize > 0 ? batchSize : Swift.max(1, count), load: load)
  }
}

extension FetchResultsCollection: RandomAccessCollection {
  /// A position, counted from 0.
  public typealias Index = Int
  /// All positions.
  public typealias Indices = Range<Int>

  public var startIndex: Int { 0 }
  public var endIndex: Int { pages.count }

  /// The element at a position. Loads the batch that contains it unless the batch is among the most recently used.
  public subscript(position: Int) -> Element {
    precondition(indices.contains(position), "index out of range")
    return pages.element(position)
  }
}

/// The most recently used batches of a collection.
private final class FetchedPages<Element> {
  let count: Int
  private let batchSize: Int
  private let load: (Range<Int>) -> [Element]
  /// Ordered by use; the most recent batch is last.
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

/// Describes how a fetch is executed: the parts that run in the store, the parts that run in memory, and the reasons.
///
/// ```swift
/// let descriptor = FetchDescriptor<Trip>(
///   predicate: #Predicate { $0.destination == "Oslo" }, sortBy: [SortDescriptor(\.startDate)])
/// print(try descriptor.explain(in: context))
/// // fetch of Trip from 'default'
/// //   filter: in the store
/// //   sort: in the store
/// //   SQL: SELECT … FROM "Trip" AS "t0" WHERE ("t0"."destination" = ?) ORDER BY "t0"."startDate", "t0"."id"
/// //   1 parameter: 'Oslo'
/// //   plan: SEARCH t0 USING INDEX Trip_destination_startDate_index (destination=?)
/// ```
///
/// Use it in tests to ensure that a fetch runs in the store:
/// `#expect(try descriptor.explain(in: context).runsInStore)`. Not in SwiftData.
public struct FetchExplanation: Sendable, Hashable {
  /// The place where a part of the fetch runs.
  ///
  /// ```swift
  /// let tagged = FetchDescriptor<Trip>(predicate: #Predicate { $0.tags.contains("family") })
  /// let places = try tagged.explain(in: context).parts.map(\.place)  // [.memory]
  /// ```
  public enum Place: String, Sendable, Hashable {
    /// The store.
    case store = "in the store"
    /// The context, for models that it has fetched.
    case memory = "in memory"
    /// For a filter `a && b && c`, the store evaluates the operands before the first untranslatable operand, and the
    /// context evaluates the rest. For a page, a custom store returns the part that it supports, and the context
    /// applies the limit.
    case both = "begun in the store, finished in memory"
  }

  /// A part of a fetch.
  ///
  /// ```swift
  /// let tagged = FetchDescriptor<Trip>(predicate: #Predicate { $0.tags.contains("family") })
  /// for part in try tagged.explain(in: context).parts where part.place != .store {
  ///   print(part)
  ///   // filter: in memory, because membership in Array<String> is tested in memory (SequenceContains)
  /// }
  /// ```
  public struct Part: Sendable, Hashable {
    /// The kinds of parts that a descriptor can request.
    ///
    /// ```swift
    /// var page = FetchDescriptor<Trip>(sortBy: [SortDescriptor(\.name)])
    /// page.fetchLimit = 20
    /// let kinds = try page.explain(in: context).parts.map(\.kind)  // [.sort, .page]
    /// ```
    public enum Kind: String, Sendable, Hashable {
      /// The predicate.
      case filter
      /// The sort descriptors.
      case sort
      /// The limit and offset.
      case page
    }

    /// The part's kind.
    public let kind: Kind
    /// The place where the part runs.
    public let place: Place
    /// The reason why the part runs in memory; nil if it runs in the store.
    public let reason: String?
    /// The untranslatable expression's type name in `PredicateExpressions`.
    public let node: String?

    package init(kind: Kind, place: Place, reason: String?, node: String?) {
      self.kind = kind
      self.place = place
      self.reason = reason
      self.node = node
    }
  }

  /// The fetched model; empty for a ``SQLQuery``.
  public let entityName: String
  /// The store's configuration name.
  public let storeName: String
  /// The requested parts; empty for a plain fetch of all models.
  public package(set) var parts: [Part] = []
  /// The SQL statement; nil if the store does not use SQL.
  public package(set) var sql: String?
  /// The statement's parameter values as SQL literals.
  public package(set) var parameters: [String] = []
  /// SQLite's query plan for the statement: EXPLAIN QUERY PLAN, indented by depth.
  public package(set) var queryPlan: [String] = []
  /// The reason why pending changes are evaluated in memory; nil if no pending change affects the result.
  public package(set) var mergeReason: String?
  /// The part of the fetch that needs no store access; nil if there is none.
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

  /// True if all parts run in the store, so that no model outside the result is loaded.
  public var runsInStore: Bool { parts.allSatisfy { $0.place == .store } }

  /// True if the context evaluates pending changes against the result.
  public var mergesPendingChanges: Bool { mergeReason != nil }

  /// The names of the indexes that the statement uses. The primary key is named `primary key`.
  public var indexes: [String] {
    queryPlan.compactMap { row in
      if row.contains("USING INTEGER PRIMARY KEY") { return "primary key" }
      let words = row.split(separator: " ")
      guard let word = words.firstIndex(of: "INDEX"), word + 1 < words.count else { return nil }
      return String(words[word + 1])
    }
  }

  /// True if every table is read through an index, by search or in index order.
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
