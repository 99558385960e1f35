import Foundation

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
      let term = try translation.sortTerm(keyPath, of: root)
      return dialect.sortTerm(term, isReverse: descriptor.order == .reverse)
    }.joined(separator: ", ")
  }
}

extension String.StandardComparator {
  /// Swift's own order, in either direction.
  var isLexical: Bool {
    var forward = self
    forward.order = .forward
    return forward == .lexical
  }
}

extension Translation {
  fileprivate mutating func sortTerm(
    _ keyPath: AnyKeyPath, of root: ModelTerm
  ) throws -> SQLFragment {
    guard let path = SortPath.of(keyPath, root.entity.definition), path.leaf != nil || path.hops.isEmpty else {
      throw Untranslatable("\(root.entity.name): \(keyPath) is not stored under this key path")
    }
    var model = root
    for hop in path.hops {
      guard case .toOne(let destination, _) = hop.kind,
        case .model(let next) = try property(hop.keyPath, of: model, type: destination)
      else { throw Untranslatable("\(hop.name) leads to no row") }
      model = next
    }
    guard let leaf = path.leafPath else { return model.key }
    let type = Swift.type(of: leaf).valueType
    let term = try scalar(property(leaf, of: model, type: type))
    guard term.scalar != .opaque else { throw ScalarKind.unreadable }
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
    let wrapped = (type as? any OptionalValue.Type)?.wrappedType ?? type
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
    let wrapped = (type as? any OptionalValue.Type)?.wrappedType ?? type
    return (wrapped as? any RawRepresentable.Type).map { open($0) }
  }
}

extension Translation {
  /// The text of a term in a form whose bytes order as Swift's values do, NaN behind every number.
  private func sortable(_ term: ScalarTerm) throws -> SQLFragment {
    term.scalar == .decimal ? try call(.decimalKey, term.sql) : try equatable(term)
  }

  /// The key of a text by other rules than Swift's.
  func key(of term: ScalarTerm, _ order: TextOrder) throws -> SQLFragment {
    try call(.textKey, term.sql, "\(number: order.rawValue)")
  }
}
