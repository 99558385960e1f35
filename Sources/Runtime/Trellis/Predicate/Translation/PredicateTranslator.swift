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
  package let storeIdentifier: String?
  package let dialect: any SQLDialect

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
    return try translation.condition(predicate.expression)
  }

  /// The condition for all predicates with the signature of this one; nil where the text depends on
  /// captured values in another way.
  func sharedFilter<T: PersistentModel>(_ predicate: Predicate<T>) throws -> SQLFragment? {
    var translation = Translation(self, tracksCaptured: true)
    translation.bind(predicate.variable.key, to: .model(root))
    let condition = try translation.condition(predicate.expression)
    return translation.computesConstants ? nil : condition
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
    return translation.beginning(of: predicate.expression).sql
  }
}

extension Translation {
  /// What can be translated of a condition, from the left, and whether that is all of it.
  fileprivate mutating func beginning<E: PredicateExpression>(
    of expression: E
  ) -> (sql: SQLFragment?, isWhole: Bool) {
    if let sql = try? heldCondition(expression) { return (sql, true) }
    guard let both = expression as? any PredicateJunction, type(of: both).isConjunction else {
      return (nil, false)
    }
    return beginning(of: both)
  }

  private mutating func beginning<J: PredicateJunction>(
    of both: J
  ) -> (sql: SQLFragment?, isWhole: Bool) {
    let first = beginning(of: both.first)
    guard first.isWhole, let start = first.sql, let more = beginning(of: both.second).sql
    else { return (first.sql, false) }
    return ("\(start) AND \(more)", false)
  }
}

/// Why a predicate or a sort order has no exact translation to SQL and runs in memory instead.
package struct Untranslatable: Error, Sendable, Equatable, CustomStringConvertible {
  package let reason: String
  /// The kind of expression that was refused; known once the error has left it.
  private(set) var node: String?

  package init(_ reason: String) { self.reason = reason }

  package var description: String { node.map { "\(reason) (\($0))" } ?? reason }

  /// The same, refused in a node of a type unless it comes from further inside.
  package func named<N>(_ type: N.Type) -> Untranslatable {
    guard node == nil else { return self }
    var named = self
    // PredicateExpressions.SequenceMaximum<…> is a SequenceMaximum.
    let name = String(describing: type).prefix { $0 != "<" }
    named.node = name.split(separator: ".").last.map(String.init)
    return named
  }
}
