import Foundation
import Synchronization

/// The unique constraints of one class, for its snapshots.
package final class UniquePlan: Sendable {
  /// A property, or a property of a flattened struct.
  struct Part: Sendable {
    let slot: Int
    let member: FlattenedMember?
  }

  struct Constraint: Sendable {
    /// Equal in the class that declares the constraint and in its subclasses.
    let number: Int
    let properties: [String]
    let slots: PropertySet
    /// Positions in ``UniquePlan/parts``.
    let parts: [Int]
    let policy: Schema.ConflictPolicy
    let refersToModels: Bool
  }

  let constraints: [Constraint]
  let parts: [Part]
  /// All slots of all constraints.
  let slots: PropertySet
  private let partsBySlot: [[Int]]

  fileprivate init(_ constraints: [Constraint], _ parts: [Part]) {
    self.constraints = constraints
    self.parts = parts
    var slots = PropertySet()
    for constraint in constraints { slots.formUnion(constraint.slots) }
    self.slots = slots
    var bySlot: [[Int]] = []
    for (number, part) in parts.enumerated() {
      while bySlot.count <= part.slot { bySlot.append([]) }
      bySlot[part.slot].append(number)
    }
    partsBySlot = bySlot
  }

  func parts(_ slot: Int) -> [Int] { slot < partsBySlot.count ? partsBySlot[slot] : [] }

  /// The position of the class in the order of insertions. Classes whose constraints have no references come first,
  /// because constraints of other classes may refer to their merged models.
  var rank: Int {
    constraints.isEmpty ? 2 : constraints.contains { $0.refersToModels } ? 1 : 0
  }

  /// The values that no other model may have, by constraint; nil if a value is nil.
  func keys(of snapshot: DefaultSnapshot) throws -> [UniqueKey?] {
    let row = UniqueValues(self)
    try snapshot.buffer.write(snapshot.index, to: row)
    return constraints.map { constraint in
      var values: [UniqueValue] = []
      for part in constraint.parts {
        guard let value = row.values[part] else { return nil }
        values.append(value)
      }
      return UniqueKey(constraint: constraint.number, values: values)
    }
  }
}

/// The values of one constraint.
package struct UniqueKey: Hashable {
  let constraint: Int
  var values: [UniqueValue]
}

/// The constraints of the classes of a schema.
package final class UniquePlans: Sendable {
  private let schema: Schema
  private let known = Mutex<[ObjectIdentifier: UniquePlan]>([:])
  private static let next = Atomic<Int>(0)

  package init(_ schema: Schema) { self.schema = schema }

  package func plan(for definition: ModelDefinition) -> UniquePlan {
    if let plan = known.withLock({ $0[ObjectIdentifier(definition)] }) { return plan }
    let entity = schema.entitiesByName[definition.entityName]
    let above = entity?.superentity?.definition.map { plan(for: $0) }
    var constraints = above?.constraints ?? []
    var parts = above?.parts ?? []
    let inherited = entity?.superentity?.uniquenessConstraints ?? []
    for properties in entity?.uniquenessConstraints ?? [] where !inherited.contains(properties) {
      let own = properties.compactMap { Self.part($0, definition.layout) }
      guard !own.isEmpty, own.count == properties.count else { continue }
      var slots = PropertySet()
      for part in own { slots.insert(part.slot) }
      constraints.append(
        UniquePlan.Constraint(
          number: Self.next.wrappingAdd(1, ordering: .relaxed).oldValue, properties: properties,
          slots: slots, parts: Array(parts.count..<parts.count + own.count),
          policy: entity?.conflictPolicy(for: properties) ?? .replace,
          refersToModels: own.contains { definition.layout.columns[$0.slot].kind.isRelationship }))
      parts += own
    }
    let made = UniquePlan(constraints, parts)
    // Another thread may have made the plan meanwhile. Its numbers stay.
    return known.withLock { known in
      if let first = known[ObjectIdentifier(definition)] { return first }
      known[ObjectIdentifier(definition)] = made
      return made
    }
  }

  private static func part(_ name: String, _ layout: ModelLayout) -> UniquePlan.Part? {
    if let property = layout.property(named: name) {
      guard property.slot >= 0, !property.kind.isToMany else { return nil }
      return UniquePlan.Part(slot: property.slot, member: nil)
    }
    return layout.member(named: name).map {
      UniquePlan.Part(slot: $0.property.slot, member: $0.member)
    }
  }
}

/// A value as a unique constraint compares it: equal if the columns of a database are.
enum UniqueValue: Hashable {
  /// Text is compared by characters and not by bytes; 0 and -0 are equal.
  case stored(SQLValue)
  case reference(PersistentIdentifier)
  /// A collection without an order.
  case unordered(AnyHashable)

  static func text(_ text: String) -> UniqueValue { .stored(.text(text)) }

  /// Nil for nil, which equals nothing.
  init?<T: Encodable>(_ value: T) throws {
    if (value as? any OptionalValue)?.isNil == true { return nil }
    switch value as Any {
    case let value as any StandardValue: self = .stored(value.sqlValue)
    case let value as any RawRepresentable & ColumnValue:
      guard let raw = try Self.raw(of: value) else { return nil }
      self = raw
    default:
      if let value = value as? any SetAlgebra, let hashable = value as? AnyHashable {
        self = .unordered(hashable)
      } else if let value = value as? any ColumnValue {
        let stored = try ColumnForm(value).value
        if stored == .null { return nil }
        self = .stored(stored)
      } else {
        self = .text(try JSONColumn.text(of: value))
      }
    }
  }

  /// Enums and structs are stored as their raw values if these have columns.
  private static func raw<T: RawRepresentable & ColumnValue>(of value: T) throws -> UniqueValue? {
    guard let raw = value.rawValue as? any ColumnValue else {
      return .text(try JSONColumn.text(of: value))
    }
    return try UniqueValue(raw)
  }
}

/// Collects the values of the constraints of a class from a row.
final class UniqueValues: RowWriter {
  let plan: UniquePlan
  /// By part of the plan; nil for nil.
  private(set) var values: [UniqueValue?]

  init(_ plan: UniquePlan) {
    self.plan = plan
    values = Array(repeating: nil, count: plan.parts.count)
  }

  private func set(_ slot: Int, _ value: @autoclosure () throws -> UniqueValue?) rethrows {
    for part in plan.parts(slot) { values[part] = try value() }
  }

  func value<T: ColumnValue>(_ slot: Int, _ value: T) throws {
    try set(slot, UniqueValue(value))
  }

  func codable<T: Codable>(_ slot: Int, _ value: T) throws {
    try set(slot, UniqueValue(value))
  }

  func raw<T: RawRepresentable & Codable>(_ slot: Int, _ value: T?) throws
  where T.RawValue: ColumnValue {
    try set(slot, value.flatMap { try UniqueValue($0.rawValue) })
  }

  func flattened<T: FlattenedValue>(_ slot: Int, _ value: T) throws {
    for part in plan.parts(slot) {
      guard let member = plan.parts[part].member else {
        values[part] = try UniqueValue(value)
        continue
      }
      values[part] = try (value[keyPath: member.keyPath] as? any ColumnValue)
        .flatMap { try UniqueValue($0) }
    }
  }

  func flattened<T: FlattenedValue>(_ slot: Int, _ value: T?) throws {
    if let value { try flattened(slot, value) }
  }

  func reference(_ slot: Int, _ identifier: PersistentIdentifier?) throws {
    set(slot, identifier.map(UniqueValue.reference))
  }
}
