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
struct PredicateTranslator {
  /// The name under which the fragments know the entity's own table.
  static let rootAlias = "t0"

  let layout: StoreLayout
  let entity: EntityLayout
  let marks: ColumnFlags
  /// The store whose identifiers are row numbers here; nil takes every permanent identifier.
  let storeIdentifier: String?

  init(
    layout: StoreLayout, entity: EntityLayout, marks: ColumnFlags, storeIdentifier: String? = nil
  ) {
    self.layout = layout
    self.entity = entity
    self.marks = marks
    self.storeIdentifier = storeIdentifier
  }

  /// A condition that is true for exactly the rows the predicate matches; false or NULL for others.
  func filter<T: PersistentModel>(_ predicate: Predicate<T>) throws -> SQLFragment {
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

  var root: ModelTerm {
    ModelTerm(
      entity: entity, key: "\(column: entity.keyColumn, of: Self.rootAlias)",
      alias: Self.rootAlias)
  }
}
