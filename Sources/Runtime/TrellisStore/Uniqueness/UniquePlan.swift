import Foundation

/// The unique constraints of one class, for its snapshots.
final class UniquePlan: Sendable {
  struct Constraint: Sendable {
    /// Equal in the class that declares the constraint and in its subclasses.
    let number: Int
    /// Properties, and properties of flattened structs: `address.street`.
    let properties: [String]
    let slots: PropertySet
    let policy: Schema.ConflictPolicy
    let refersToModels: Bool
  }

  let constraints: [Constraint]
  /// All slots of all constraints.
  let slots: PropertySet
  let layout: ModelLayout

  fileprivate init(_ constraints: [Constraint], _ layout: ModelLayout) {
    self.constraints = constraints
    self.layout = layout
    slots = constraints.reduce(PropertySet()) { $0.union($1.slots) }
  }

  /// The position of the class in the order of insertions. Classes whose constraints have no references come first,
  /// because constraints of other classes may refer to their merged models.
  var rank: Int { constraints.contains { $0.refersToModels } ? 1 : 0 }

  /// The values that no other model may have, by constraint; nil if a value is nil.
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

/// The values of one constraint.
struct UniqueKey: Hashable {
  let constraint: Int
  var values: [UniqueValue]
}

/// The constraints of the classes of a schema.
package final class UniquePlans: Sendable {
  /// By class, without classes that have no constraints.
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

  /// The constraints of a model's class; nil if there are none.
  func plan(of snapshot: DefaultSnapshot) -> UniquePlan? {
    snapshot.buffer.definition.flatMap { plans[ObjectIdentifier($0)] }
  }

  private static func slot(_ name: String, _ layout: ModelLayout) -> Int? {
    guard let property = layout.property(named: name) else { return layout.member(named: name)?.property.slot }
    return property.slot >= 0 && !property.kind.isToMany ? property.slot : nil
  }
}

/// A value as a unique constraint compares it: equal if the columns of a database are.
enum UniqueValue: Hashable {
  /// Text is compared by characters and not by bytes; 0 and -0 are equal.
  case stored(SQLValue)
  case reference(PersistentIdentifier)
  /// A collection without an order.
  case unordered(AnyHashable)

  /// Nil for nil, which equals nothing.
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

/// Collects the values of the constraints of a class from a row.
private final class UniqueValues: RowWriter {
  private let plan: UniquePlan
  /// By property, or property of a flattened struct; without nil.
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
