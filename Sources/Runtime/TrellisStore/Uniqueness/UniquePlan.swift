import Foundation

/// A class's unique constraints, applied to snapshots.
final class UniquePlan: Sendable {
  struct Constraint: Sendable {
    /// The same number in the declaring class and all subclasses.
    let number: Int
    /// Property names, including flattened struct members such as `address.street`.
    let properties: [String]
    let slots: PropertySet
    let policy: Schema.ConflictPolicy
    let refersToModels: Bool
  }

  let constraints: [Constraint]
  /// The slots that any constraint uses.
  let slots: PropertySet
  let layout: ModelLayout

  fileprivate init(_ constraints: [Constraint], _ layout: ModelLayout) {
    self.constraints = constraints
    self.layout = layout
    slots = constraints.reduce(PropertySet()) { $0.union($1.slots) }
  }

  /// The insertion order. Classes whose constraints use no references come first, because later constraints may refer
  /// to merged models.
  var rank: Int { constraints.contains { $0.refersToModels } ? 1 : 0 }

  /// Returns the snapshot's unique keys by constraint; `nil` if a value is nil.
  func keys(of snapshot: DefaultSnapshot) throws -> [UniqueKey?] {
    let row = UniqueValues(self)
    try snapshot.buffer.write(snapshot.index, to: row)
    return constraints.map { constraint in
      let values = constraint.properties.compactMap { row.values[$0] }
      return values.count == constraint.properties.count
        ? UniqueKey(constraint: constraint.number, values: values) : nil
    }
  }
}

/// The values for a single constraint.
struct UniqueKey: Hashable {
  let constraint: Int
  var values: [UniqueValue]
}

/// Unique constraints for all classes in a schema.
package final class UniquePlans: Sendable {
  /// By class. Classes that have no constraints are omitted.
  private let plans: [ObjectIdentifier: UniquePlan]

  package init(_ schema: Schema) {
    var plans: [ObjectIdentifier: UniquePlan] = [:]
    var number = 0
    // Superclasses come first.
    for entity in schema.entities.filter({ $0.superentity == nil }).flatMap(\.hierarchy) {
      guard let definition = entity.definition else { continue }
      let above = entity.superentity
      var constraints = above?.definition.flatMap { plans[ObjectIdentifier($0)] }?.constraints ?? []
      for properties in entity.uniquenessConstraints where above?.uniquenessConstraints.contains(properties) != true {
        let slots = properties.compactMap { Self.slot($0, definition.layout) }
        guard !slots.isEmpty, slots.count == properties.count else { continue }
        constraints.append(
          UniquePlan.Constraint(
            number: number, properties: properties, slots: PropertySet(slots),
            policy: entity.conflictPolicy(for: properties),
            refersToModels: slots.contains { definition.layout.columns[$0].kind.isRelationship }))
        number += 1
      }
      if !constraints.isEmpty { plans[ObjectIdentifier(definition)] = UniquePlan(constraints, definition.layout) }
    }
    self.plans = plans
  }

  /// Returns the constraints for a model's class; `nil` if it has none.
  func plan(of snapshot: DefaultSnapshot) -> UniquePlan? {
    snapshot.buffer.definition.flatMap { plans[ObjectIdentifier($0)] }
  }

  private static func slot(_ name: String, _ layout: ModelLayout) -> Int? {
    guard let property = layout.property(named: name) else { return layout.member(named: name)?.property.slot }
    return property.slot >= 0 && !property.kind.isToMany ? property.slot : nil
  }
}

/// A value in a unique constraint. Values are equal if the database columns are equal.
enum UniqueValue: Hashable {
  /// Text is compared by characters instead of bytes; 0 and -0 are equal.
  case stored(SQLValue)
  case reference(PersistentIdentifier)
  /// An unordered collection.
  case unordered(AnyHashable)

  /// Returns `nil` for a nil value, which equals nothing.
  init?<T: Encodable>(_ value: T) throws {
    if (value as? any OptionalValue)?.isNil == true { return nil }
    if let value = value as? any SetAlgebra, let hashable = value as? AnyHashable {
      self = .unordered(hashable)
      return
    }
    let stored = try SQLValue(stored: value)
    if stored == .null { return nil }
    self = .stored(stored)
  }
}

/// Collects a row's unique values.
private final class UniqueValues: RowWriter {
  private let plan: UniquePlan
  /// Non-nil values by property or flattened struct member.
  private(set) var values: [String: UniqueValue] = [:]

  init(_ plan: UniquePlan) { self.plan = plan }

  private func set(_ slot: Int, _ value: @autoclosure () throws -> UniqueValue?) rethrows {
    if plan.slots.contains(slot) { values[plan.layout.columns[slot].name] = try value() }
  }

  func codable<T: Codable>(_ slot: Int, _ value: T) throws {
    try set(slot, UniqueValue(value))
  }

  func raw<T: RawRepresentable & Codable>(_ slot: Int, _ value: T?) throws
  where T.RawValue: ColumnValue {
    try set(slot, value.flatMap { try UniqueValue($0.rawValue) })
  }

  func flattened<T: FlattenedValue>(_ slot: Int, _ value: T) throws {
    guard plan.slots.contains(slot) else { return }
    let property = plan.layout.columns[slot]
    if plan.constraints.contains(where: { $0.properties.contains(property.name) }) { try set(slot, UniqueValue(value)) }
    for member in property.flattenedMembers {
      values["\(property.name).\(member.name)"] = try (value[keyPath: member.keyPath] as? any ColumnValue)
        .flatMap { try UniqueValue($0) }
    }
  }

  func reference(_ slot: Int, _ identifier: PersistentIdentifier?) throws {
    set(slot, identifier.map(UniqueValue.reference))
  }
}
