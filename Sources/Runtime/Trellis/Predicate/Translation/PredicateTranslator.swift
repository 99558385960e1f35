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
    try condition(predicate, tracksCaptured: false).sql
  }

  /// The condition for all predicates with the signature of this one; nil where the text depends on
  /// captured values in another way.
  func sharedFilter<T: PersistentModel>(_ predicate: Predicate<T>) throws -> SQLFragment? {
    let (sql, translation) = try condition(predicate, tracksCaptured: true)
    return translation.computesConstants ? nil : sql
  }

  /// Tests for nil matter only where something is force-unwrapped, which is rare. Then the translation is made again.
  private func condition<T: PersistentModel>(
    _ predicate: Predicate<T>, tracksCaptured: Bool, notesPresences: Bool = false
  ) throws -> (sql: SQLFragment, translation: Translation) {
    var translation = Translation(self, tracksCaptured: tracksCaptured, notesPresences: notesPresences)
    translation.bind(predicate.variable.key, to: .model(root))
    do {
      return (try translation.condition(predicate.expression), translation)
    } catch {
      guard translation.missesPresence, !notesPresences else { throw error }
      return try condition(predicate, tracksCaptured: tracksCaptured, notesPresences: true)
    }
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
    var translation = Translation(self, notesPresences: true)
    translation.bind(predicate.variable.key, to: .model(root))
    var parts: [SQLFragment] = []
    try? translation.walk(JunctionRun(conjunction: predicate.expression)) { translation, operand in
      parts.append(try translation.heldCondition(operand))
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
  private(set) var node: String?

  package init(_ reason: String) { self.reason = reason }

  /// The error for a predicate that is nested too deeply. It has no name of a node: the types of deep nodes have long ones.
  static let tooDeep = Untranslatable(
    "expressions nested more than \(PredicateDepth.translated) levels deep are evaluated in memory")

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
