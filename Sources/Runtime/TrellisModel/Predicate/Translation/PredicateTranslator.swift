import Foundation

/// Translates predicates and sort descriptors for an entity into SQL with exactly Swift's results.
///
///     let id = trip.persistentModelID
///     try translator.filter(#Predicate<Stop> { $0.trip?.persistentModelID == id && $0.visited })
///     // "t0"."trip" IS ? AND "t0"."visited" = 1
///
/// The SQL text contains parameters instead of values, so predicates with the same shape share a statement. Related
/// rows are accessed through subqueries, so that the text is valid in SELECT, UPDATE and DELETE. Expressions for which
/// SQL has no equal result are rejected with ``Untranslatable``.
package struct PredicateTranslator {
  /// The entity's own table alias in fragments.
  package static let rootAlias = "t0"

  package let layout: StoreLayout
  package let entity: EntityLayout
  package let marks: ColumnFlags
  /// The store that contains the rows; nil to accept any permanent identifier.
  var storeIdentifier: String?
  var dialect: any SQLDialect = SQLiteDialect()

  package init(
    layout: StoreLayout, entity: EntityLayout, marks: ColumnFlags, storeIdentifier: String? = nil,
    dialect: any SQLDialect = SQLiteDialect()
  ) {
    self.layout = layout
    self.entity = entity
    self.marks = marks
    self.storeIdentifier = storeIdentifier
    self.dialect = dialect
  }

  /// Returns a condition that is true for exactly the matching rows; false or NULL for all others.
  package func filter<T: PersistentModel>(_ predicate: Predicate<T>) throws -> SQLFragment {
    var translation = Translation(self)
    translation.bind(predicate.variable.key, to: .model(root))
    let sql = try translation.condition(predicate.expression).sql
    // Removes the marks from captured values, so that predicates that use them differently do not share the text.
    return translation.computesConstants ? SQLFragment(verbatim: sql.text, sql.values) : sql
  }

  package var root: ModelTerm {
    ModelTerm(
      entity: entity, key: "\(column: entity.keyColumn, of: Self.rootAlias)",
      alias: Self.rootAlias)
  }

  /// Returns a condition that every match satisfies. For an untranslatable predicate `a && b && c`, the condition
  /// consists of the operands before the first untranslatable operand; nil if there are none.
  ///
  /// Later operands are never included, because Swift does not evaluate them if an earlier operand rejects the row or
  /// throws.
  package func narrowing<T: PersistentModel>(_ predicate: Predicate<T>) -> SQLFragment? {
    var translation = Translation(self)
    translation.bind(predicate.variable.key, to: .model(root))
    var parts: [SQLFragment] = []
    try? translation.walk(JunctionRun(conjunction: predicate.expression)) { translation, operand in
      parts.append(try translation.condition(operand).held(.and))
      try translation.recordPresences(operand, true)
      return true
    }
    return parts.isEmpty ? nil : parts[...].balanced(" AND ")
  }
}

/// The reason why a predicate or sort order has no exact SQL translation and runs in memory.
package struct Untranslatable: Error, Sendable, Equatable, CustomStringConvertible {
  package let reason: String
  /// The rejected expression's kind; set when the error leaves the expression.
  package private(set) var node: String?

  package init(_ reason: String) { self.reason = reason }

  /// The error for a predicate that is nested too deeply. It names no node, because deep nodes have long type names.
  static let tooDeep = Untranslatable(
    "expressions nested more than \(PredicateDepth.translated) levels deep are evaluated in memory")

  /// The error for captured values from which no value can be computed, for example because of a division by zero.
  static let captured = Untranslatable("captured values are computed in memory")

  package var description: String { node.map { "\(reason) (\($0))" } ?? reason }

  /// Returns the error with a node type, unless it already names a nested node.
  package func named<N>(_ type: N.Type) -> Untranslatable {
    guard node == nil, self != .tooDeep else { return self }
    var named = self
    // PredicateExpressions.SequenceMaximum<…> becomes SequenceMaximum.
    let name = String(describing: type).prefix { $0 != "<" }
    named.node = name.split(separator: ".").last.map(String.init)
    return named
  }
}

// MARK: Sort orders

extension PredicateTranslator {
  /// Returns the ORDER BY terms; empty if there are no sort descriptors.
  ///
  /// Nil sorts first, and last in reverse order, as in Swift and SQLite. The store appends the primary key so that
  /// pages do not overlap. `RowOrder` provides the same order in memory.
  package func order<T: PersistentModel>(_ sort: [SortDescriptor<T>]) throws -> SQLFragment {
    var translation = Translation(self)
    return try sort.map { descriptor in
      guard let keyPath = descriptor.keyPath else {
        throw Untranslatable("a sort without a key path runs in memory")
      }
      if let comparator = descriptor.stringComparator, !comparator.isLexical {
        throw Untranslatable("sorting by \(comparator) runs in memory")
      }
      let term = try translation.sortTerm(keyPath)
      return dialect.sortTerm(term, isReverse: descriptor.order == .reverse)
    }.joined(separator: ", ")
  }
}

extension String.StandardComparator {
  /// True for Swift's own order, in either direction.
  package var isLexical: Bool {
    var forward = self
    forward.order = .forward
    return forward == .lexical
  }
}

extension Translation {
  /// Returns the value at the end of a path in each row.
  package mutating func value(at path: SortPath) throws -> ScalarTerm {
    var model = root
    for hop in path.hops {
      guard case .model(let next) = try property(hop.keyPath, of: model) else {
        throw Untranslatable("\(hop.name) does not refer to a row")
      }
      model = next
    }
    return try path.leafPath.map { try scalar(property($0, of: model)) } ?? model.identity
  }

  fileprivate mutating func sortTerm(_ keyPath: AnyKeyPath) throws -> SQLFragment {
    guard let path = SortPath.of(keyPath, root.entity.definition), path.leaf != nil || path.hops.isEmpty else {
      throw Untranslatable("\(root.entity.name): \(keyPath) is not stored under this key path")
    }
    let term = try value(at: path)
    guard let leaf = path.leafPath else { return term.sql }
    guard term.scalar != .opaque else { throw ScalarKind.unreadable }
    let type = Swift.type(of: leaf).valueType
    switch path.form {
    case .value: return try sortTerm(term, type)
    case .text(let order): return try key(of: term, order)
    case .rawValue:
      guard ScalarKind.ordered(Self.rawScalar(of: type) ?? type) != nil else {
        throw Untranslatable("\(type) has its own order")
      }
      return try sortable(term)
    }
  }

  private func sortTerm(_ term: ScalarTerm, _ type: any Any.Type) throws -> SQLFragment {
    if ScalarKind.ordered(type) != nil { return try sortable(term) }
    let wrapped = wrappedType(of: type)
    guard let cases = wrapped as? any (RawRepresentable & CaseIterable & Comparable).Type else {
      throw Untranslatable("\(wrapped) has its own order")
    }
    // An enum with listed cases: each case has a position.
    let places = try Self.places(cases).map {
      (value: dialect.stored(try term.scalar.encode($0.rawValue, storeIdentifier), term.scalar), place: $0.place)
    }
    if Self.isAscending(places.map(\.value)) { return try sortable(term) }
    let branches = places.map {
      "WHEN \(value: $0.value) THEN \(number: $0.place)" as SQLFragment
    }
    return "CASE \(term.held(.atom)) \(branches.joined(separator: " ")) END"
  }

  private static func places<E: RawRepresentable & CaseIterable & Comparable>(
    _: E.Type
  ) -> [(rawValue: Any, place: Int)] {
    var places: [(rawValue: Any, place: Int)] = []
    var last: E?
    for value in E.allCases.sorted() {
      let place = places.last.map { $0.place + (last.map { $0 < value } == true ? 1 : 0) } ?? 0
      places.append((value.rawValue, place))
      last = value
    }
    return places
  }

  /// Returns true if the cases are in raw value order, so that an index has the same order.
  private static func isAscending(_ values: [SQLValue]) -> Bool {
    zip(values, values.dropFirst()).allSatisfy { pair in
      switch pair {
      case (.integer(let first), .integer(let second)): first < second
      case (.text(let first), .text(let second)):
        first.utf8.lexicographicallyPrecedes(second.utf8)
      default: false
      }
    }
  }

  private static func rawScalar(of type: any Any.Type) -> (any Any.Type)? {
    func open<R: RawRepresentable>(_: R.Type) -> any Any.Type { R.RawValue.self }
    let wrapped = wrappedType(of: type)
    return (wrapped as? any RawRepresentable.Type).map { open($0) }
  }
}

extension Translation {
  /// Returns the sort key for text in a custom order.
  func key(of term: ScalarTerm, _ order: TextOrder) throws -> SQLFragment {
    try call(.textKey, term.sql, "\(number: order.rawValue)")
  }
}
