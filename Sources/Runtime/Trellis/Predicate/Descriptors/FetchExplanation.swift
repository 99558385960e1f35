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
  }

  /// The model that is fetched; empty for a ``SQLQuery``.
  public let entityName: String
  /// The name of the configuration whose store is asked.
  public let storeName: String
  /// What the descriptor asks for; a plain fetch of everything has no parts.
  public internal(set) var parts: [Part] = []
  /// The statement the store runs; nil for a store that does not speak SQL.
  public internal(set) var sql: String?
  /// The values of the statement's parameters, as SQL would spell them.
  public internal(set) var parameters: [String] = []
  /// What SQLite says about how it runs the statement: EXPLAIN QUERY PLAN, indented by depth.
  public internal(set) var queryPlan: [String] = []
  /// Why models with changes that are not saved are judged in memory; nil when none matters.
  public internal(set) var mergeReason: String?
  /// What is answered without the store; nil when nothing is.
  public internal(set) var shortcut: String?

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
