import Foundation

/// Turns predicates and sort descriptors over one entity into SQL that answers exactly as Swift does.
///
///     let id = trip.persistentModelID
///     try translator.filter(#Predicate<Stop> { $0.trip?.persistentModelID == id && $0.visited })
///     // "t0"."trip" IS ? AND "t0"."visited" = 1
///
/// Text holds parameters only, so predicates of one shape share a statement. Related rows are
/// reached by subqueries, so that the text fits SELECT, UPDATE and DELETE alike. What Swift answers
/// and SQL cannot is refused with ``Untranslatable``.
package struct PredicateTranslator {
  /// The name under which the fragments know the entity's own table.
  package static let rootAlias = "t0"

  package let layout: StoreLayout
  package let entity: EntityLayout
  package let marks: ColumnFlags
  /// The store whose identifiers are row numbers here; nil takes every permanent identifier.
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

  /// A condition that is true for exactly the rows the predicate matches; false or NULL for others.
  package func filter<T: PersistentModel>(_ predicate: Predicate<T>) throws -> SQLFragment {
    var translation = Translation(self)
    translation.bind(predicate.variable.key, to: .model(root))
    let sql = try translation.condition(predicate.expression).sql
    // Without marked captured values, no other predicate takes a text that depends on these values in another way.
    return translation.computesConstants ? SQLFragment(verbatim: sql.text, sql.values) : sql
  }

  package var root: ModelTerm {
    ModelTerm(
      entity: entity, key: "\(column: entity.keyColumn, of: Self.rootAlias)",
      alias: Self.rootAlias)
  }

  /// A condition that every match satisfies: of a predicate `a && b && c` without a translation, the
  /// part before the first operand that has none. nil when there is no such part.
  ///
  /// Never a later part: Swift does not come to it for a row an earlier one rejects, or throws for.
  package func narrowing<T: PersistentModel>(_ predicate: Predicate<T>) -> SQLFragment? {
    var translation = Translation(self)
    translation.bind(predicate.variable.key, to: .model(root))
    var parts: [SQLFragment] = []
    try? translation.walk(JunctionRun(conjunction: predicate.expression)) { translation, operand in
      parts.append(try translation.condition(operand).held(.and))
      try translation.notePresences(operand, true)
      return true
    }
    return parts.isEmpty ? nil : parts[...].balanced(" AND ")
  }
}

/// Why a predicate or a sort order has no exact translation to SQL and runs in memory instead.
package struct Untranslatable: Error, Sendable, Equatable, CustomStringConvertible {
  package let reason: String
  /// The kind of expression that was refused; known once the error has left it.
  package private(set) var node: String?

  package init(_ reason: String) { self.reason = reason }

  /// The error for a predicate that is nested too deeply. It has no name of a node: the types of deep nodes have long ones.
  static let tooDeep = Untranslatable(
    "expressions nested more than \(PredicateDepth.translated) levels deep are evaluated in memory")

  /// The error for captured values that have no value together, such as a quotient by zero.
  static let captured = Untranslatable("captured values are computed in memory")

  package var description: String { node.map { "\(reason) (\($0))" } ?? reason }

  /// The same, refused in a node of a type unless it comes from further inside.
  package func named<N>(_ type: N.Type) -> Untranslatable {
    guard node == nil, self != .tooDeep else { return self }
    var named = self
    // PredicateExpressions.SequenceMaximum<…> is a SequenceMaximum.
    let name = String(describing: type).prefix { $0 != "<" }
    named.node = name.split(separator: ".").last.map(String.init)
    return named
  }
}

// MARK: Sort orders

extension PredicateTranslator {
  /// The terms of an ORDER BY; empty without sort descriptors.
  ///
  /// nil comes first, and last in reverse, as in Swift and in SQLite. The store adds the primary key
  /// behind them, so that pages do not overlap. `RowOrder` gives the same order in memory.
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
  /// Swift's own order, in either direction.
  package var isLexical: Bool {
    var forward = self
    forward.order = .forward
    return forward == .lexical
  }
}

extension Translation {
  /// The value at the end of a path in each row.
  package mutating func value(at path: SortPath) throws -> ScalarTerm {
    var model = root
    for hop in path.hops {
      guard case .model(let next) = try property(hop.keyPath, of: model) else {
        throw Untranslatable("\(hop.name) leads to no row")
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
        throw Untranslatable("\(type) has an order of its own")
      }
      return try sortable(term)
    }
  }

  private func sortTerm(_ term: ScalarTerm, _ type: any Any.Type) throws -> SQLFragment {
    if ScalarKind.ordered(type) != nil { return try sortable(term) }
    let wrapped = wrappedType(of: type)
    guard let cases = wrapped as? any (RawRepresentable & CaseIterable & Comparable).Type else {
      throw Untranslatable("\(wrapped) has an order of its own")
    }
    // An enum that lists its cases: each has its place.
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

  /// Whether the cases stand in the order of their raw values, so that an index has it, too.
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
  /// The key of a text by other rules than Swift's.
  func key(of term: ScalarTerm, _ order: TextOrder) throws -> SQLFragment {
    try call(.textKey, term.sql, "\(number: order.rawValue)")
  }
}
