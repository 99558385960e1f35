import SchemaModel
import SwiftSource

/// A model class, decided.
final class EntityPlan {
  let entity: ResolvedEntity
  let parent: EntityPlan?
  /// Whether another model inherits from this one.
  let isInherited: Bool
  /// Whether the class is in a Swift file.
  let isSource: Bool
  /// Whether a to-one relationship leads to the model.
  let isReferenced: Bool
  let runtime: RuntimeNames
  let type: TypeRef
  /// The name behind `extension`.
  let path: Code
  let access: Access
  /// The access of members that the runtime asks for.
  let memberAccess: Access
  /// Own properties, in declaration order.
  let properties: [PropertyPlan]
  /// The properties of the whole chain, inherited ones first.
  let allProperties: [PropertyPlan]
  /// The fields that are in the snapshot, own ones only.
  let fields: [PropertyPlan]
  /// The values of a live model. Neither a property nor a nested type has the name (NAM006).
  let snapshot: TypeRef
  /// A subclass's own fields.
  let ownValues: TypeRef
  /// The first free slots after this model's properties.
  private let nextSlot: Int
  private let nextListSlot: Int
  /// By the name of a relationship: its other side.
  let inverses: [String: Code]
  /// Properties that a carried initialiser of a subclass assigns before it calls `super.init`.
  let initializedByAccessor: [PropertyPlan]

  init(
    _ entity: ResolvedEntity, parent: EntityPlan?, isInherited: Bool, isSource: Bool, isReferenced: Bool,
    schema: [String: ResolvedEntity], types: TypeTable, rules: AccessRules
  ) {
    self.entity = entity
    self.parent = parent
    self.isInherited = isInherited
    self.isSource = isSource
    self.isReferenced = isReferenced
    runtime = types.runtime
    let type = types.own(entity.name)
    let rules = isSource ? AccessRules(option: .internal, limit: rules.limit) : rules
    let access = rules.type(entity.access)
    self.type = type
    path = types.path(entity.name)
    self.access = access
    memberAccess = rules.bound(access)

    let storage = parent == nil ? "_$values" : Self.ownStorage(entity)
    var slot = parent?.nextSlot ?? 0
    var listSlot = parent?.nextListSlot ?? 0
    var plans: [PropertyPlan] = []
    var inverses: [String: Code] = [:]
    for property in entity.properties {
      switch property {
      case .attribute(let attribute):
        let plan = PropertyPlan(
          attribute, slot: slot, storage: storage, in: entity, types: types, rules: rules,
          access: access)
        if plan.isStored { slot += 1 }
        plans.append(plan)
      case .relationship(let relationship):
        var isList = false
        if case .toMany = relationship.cardinality { isList = true }
        plans.append(
          PropertyPlan(
            relationship, slot: isList ? listSlot : slot, storage: storage, types: types,
            rules: rules, access: access))
        if isList { listSlot += 1 } else { slot += 1 }
        guard case .property(let name) = relationship.inverse else { continue }
        let destination = relationship.destination
        let isHidden = isSource && Self.isHidden(name, of: destination, schema)
        inverses[relationship.name] =
          !isHidden && Self.isVisible(name, of: destination, from: entity, schema)
          ? "\\\(types.own(destination)).\(name: name)"
          : "\(types.own(destination)).\(name: "_$path_" + name)"
      }
    }
    properties = plans
    allProperties = (parent?.allProperties ?? []) + plans
    fields = plans.filter(\.isStored)
    snapshot = type.member("Snapshot")
    ownValues = snapshot.member("OwnValues")
    let assigned = entity.carriedInitializers.reduce(into: Set<String>()) {
      if parent != nil { $0.formUnion(InitializerScan($1.text).assignedBefore) }
    }
    let isCarried = parent != nil && !entity.carriedInitializers.isEmpty && !isSource
    initializedByAccessor = plans.filter {
      isCarried && $0.isStored && ($0.defaultValue == nil || assigned.contains($0.name))
    }
    nextSlot = slot
    nextListSlot = listSlot
    self.inverses = inverses
  }

  var root: EntityPlan { parent?.root ?? self }

  /// The properties that code inside a subclass cannot name.
  func isHidden(_ property: PropertyPlan, from subclass: EntityPlan) -> Bool {
    switch property.access {
    case .private: true
    case .fileprivate: subclass.entity.file != entity.file
    default: false
    }
  }
  var isInHierarchy: Bool { parent != nil || isInherited || isSource }
  var carriesInitializers: Bool { !entity.carriedInitializers.isEmpty }

  /// The stored property of the model that holds its own fields.
  var storage: String { parent == nil ? "_$values" : Self.ownStorage(entity) }
  /// The table of the model: a static constant, behind a class variable in hierarchies.
  var definitionName: String { isInHierarchy ? "_$definition_" + entity.name : "_$definition" }

  /// The attributes of the class that its extensions have as well: uses of a deprecated class warn elsewhere.
  var availability: [Code] {
    entity.swiftAttributes.filter { $0.text.hasPrefix("@available") }.map { "\(carried: $0.text)" }
  }

  func path(_ property: PropertyPlan) -> Code {
    guard isSource, property.access < .internal else { return "\\\(type).\(name: property.name)" }
    return "\(type).\(name: "_$path_" + property.name)"
  }

  var ownReferences: [PropertyPlan] {
    properties.filter { if case .toOne = $0.role { true } else { false } }
  }
  var ownLists: [PropertyPlan] {
    properties.filter { if case .toMany = $0.role { true } else { false } }
  }
  /// Whether reading what the model itself stores throws.
  var ownReadsThrow: Bool { fields.contains(where: \.readsThrow) }
  /// Whether reading a snapshot throws.
  var readsThrow: Bool { ownReadsThrow || (parent?.readsThrow ?? false) }
  var hasReferences: Bool { !ownReferences.isEmpty || (parent?.hasReferences ?? false) }
  var hasLists: Bool { !ownLists.isEmpty || (parent?.hasLists ?? false) }

  /// The stored property that such an assignment fills: models wait in it until both ends of their
  /// relationship are complete, of an attribute it only shows that there was an assignment.
  static func token(_ property: PropertyPlan) -> String {
    (property.isRelationship ? "_$pending_" : "_$token_") + property.name
  }

  /// The call behind `super.init` that links the models which wait.
  var linksPending: Bool { initializedByAccessor.contains(where: \.isRelationship) }

  private static func ownStorage(_ entity: ResolvedEntity) -> String { "_$own_" + entity.name }

  /// Whether other files than that of the class cannot name a property. Such a property has a key path in the class.
  private static func isHidden(
    _ property: String, of destination: String, _ schema: [String: ResolvedEntity]
  ) -> Bool {
    let found = schema[destination]?.properties.first { $0.name == property }
    return found?.access == .private || found?.access == .fileprivate
  }

  /// Whether the other side of a pair can be named.
  private static func isVisible(
    _ property: String, of destination: String, from entity: ResolvedEntity,
    _ schema: [String: ResolvedEntity]
  ) -> Bool {
    var current = schema[destination]
    var remaining = schema.count
    while let candidate = current, remaining > 0 {
      if let found = candidate.properties.first(where: { $0.name == property }) {
        switch found.access {
        case .private: return candidate.name == entity.name
        case .fileprivate: return candidate.file == entity.file
        default: return true
        }
      }
      current = candidate.superentity.flatMap { schema[$0] }
      remaining -= 1
    }
    return false
  }
}

extension ResolvedProperty {
  var name: String {
    switch self {
    case .attribute(let attribute): attribute.name
    case .relationship(let relationship): relationship.name
    }
  }

  var access: AccessLevel? {
    switch self {
    case .attribute(let attribute): attribute.access
    case .relationship(let relationship): relationship.access
    }
  }
}
