import Foundation
import Synchronization

/// Statements shared by all predicates with equal signatures.
package final class CachedQuery: @unchecked Sendable {  // key paths are never written; `statements` has its lock
  private let words: [Int]
  // Retained, so that no new key path is allocated at the same address.
  private let keyPaths: [AnyKeyPath]
  fileprivate let parameters: [Int]
  /// True if the predicate only compares the model's identifier with a captured identifier.
  let isIdentity: Bool
  let crossesRelationships: Bool
  let readsReferences: Bool
  private let statements = Mutex<[CachedStatement]>([])

  private init<T: PersistentModel>(_ shape: PredicateShape, _ predicate: Predicate<T>) {
    words = shape.words
    keyPaths = shape.reads.map(\.keyPath)
    parameters = shape.parameters
    crossesRelationships = shape.crossesRelationships
    readsReferences = shape.readsReferences
    isIdentity = shape.identifier != nil && PredicateLookup.identifier(of: predicate) != nil
  }

  // MARK: signatures

  /// Queries whose predicates have the same expression type.
  private struct Family: Sendable {
    /// The node types, which are determined by the expression type.
    var nodes: [PredicateShape.Node] = []
    var queries: [CachedQuery] = []
  }

  private static let families = Mutex<[ObjectIdentifier: Family]>([:])
  /// An app has a limited number of predicates, but generic code can create an unlimited number of types.
  private static let maximumTypes = 4_096
  private static let maximumSignatures = 32

  /// Returns the predicate with shared statements; nil if the statements depend on more than the signature.
  static func of<T: PersistentModel>(_ predicate: Predicate<T>) -> SignedPredicate? {
    let expression = predicate.expression
    let key = ObjectIdentifier(type(of: expression))
    let family = families.withLock { $0[key] } ?? Family()
    let shape = PredicateShape(signing: predicate, nodes: family.nodes)
    guard shape.isSigned else { return nil }
    let known = query(shape, among: family.queries)
    return SignedPredicate(
      query: known ?? add(CachedQuery(shape, predicate), shape.nodes, for: key), values: shape.values,
      identifier: shape.identifier)
  }

  private static func query(
    _ shape: PredicateShape, among known: [CachedQuery]
  ) -> CachedQuery? {
    // Literal key paths are process-wide objects.
    for query in known where query.words == shape.words {
      if zip(query.keyPaths, shape.reads).allSatisfy({ $0 === $1.keyPath }) { return query }
    }
    // Generic code creates a new key path in every call.
    return known.first { $0.words == shape.words && $0.keyPaths == shape.reads.map(\.keyPath) }
  }

  private static func add(
    _ query: CachedQuery, _ nodes: [PredicateShape.Node], for key: ObjectIdentifier
  ) -> CachedQuery {
    families.withLock { families in
      var family = families[key] ?? Family(nodes: nodes)
      guard families.count < maximumTypes || !family.queries.isEmpty else { return }
      if family.queries.count >= maximumSignatures { family.queries.removeFirst() }
      family.queries.append(query)
      families[key] = family
    }
    return query
  }

  // MARK: statements

  private static let maximumStatements = 12

  /// Returns the statement for a purpose, created by the first request; nil if each predicate requires separate text.
  package func statement(
    _ purpose: CachedStatement.Purpose, _ generation: Int, make: () -> CachedStatement.Text?
  ) -> CachedStatement.Text? {
    let known = statements.withLock { statements in
      statements.first { $0.purpose == purpose && $0.generation == generation }
    }
    if let known { return known.text }
    let made = CachedStatement(purpose: purpose, generation: generation, text: make())
    statements.withLock { statements in
      statements.removeAll { $0.purpose == purpose }
      if statements.count >= Self.maximumStatements { statements.removeFirst() }
      statements.append(made)
    }
    return made.text
  }
}

/// A predicate with shared statements and captured values.
package struct SignedPredicate {
  package let query: CachedQuery
  let values: [SQLValue]
  fileprivate let identifier: PersistentIdentifier?

  /// The requested identifier; nil if the predicate has further conditions.
  var wantedIdentifier: PersistentIdentifier? { query.isIdentity ? identifier : nil }

  /// Returns a translation's parameters; nil if the text contains a captured value in a different form.
  package func parameters(of fragment: SQLFragment) -> [CachedStatement.Parameter]? {
    var missing = Set(query.parameters)
    var parameters = fragment.values.map { CachedStatement.Parameter.fixed($0) }
    for position in fragment.captured {
      let value = fragment.values[position]
      guard let number = values.firstIndex(where: value.isIdentical) else { continue }
      parameters[position] = .captured(number)
      missing.remove(number)
    }
    return missing.isEmpty ? parameters : nil
  }

  package func bind(
    _ text: CachedStatement.Text, limit: Int64, offset: Int64, to statement: Statement
  ) throws {
    var position: Int32 = 0
    for parameter in text.parameters {
      position += 1
      switch parameter {
      case .captured(let number): try statement.bind(values[number], at: position)
      case .fixed(let value): try statement.bind(value, at: position)
      case .limit: statement.bind(limit, at: position)
      case .offset: statement.bind(offset, at: position)
      }
    }
  }
}

/// A store's statement for all predicates with equal signatures.
package struct CachedStatement: Sendable {
  package struct Purpose: Sendable, Equatable {
    package enum Kind: Sendable { case rows, keys, count }
    /// The store's entity; see ``EntityStatements/number``.
    var plan: Int
    package var kind: Kind
    package var isPaged: Bool

    package init(plan: Int, kind: Kind, isPaged: Bool) {
      self.plan = plan
      self.kind = kind
      self.isPaged = isPaged
    }
  }

  package enum Parameter: Sendable {
    case fixed(SQLValue)
    /// A captured value by position in ``SignedPredicate/values``.
    case captured(Int)
    case limit, offset
  }

  package struct Text: Sendable {
    package let sql: NumberedText
    let parameters: [Parameter]

    package init(sql: NumberedText, parameters: [Parameter]) {
      self.sql = sql
      self.parameters = parameters
    }
  }

  fileprivate let purpose: Purpose
  /// The store's column flag generation, on which the text depends.
  fileprivate let generation: Int
  fileprivate let text: Text?
}
