import SchemaModel
import SwiftSource

/// The emission plan for a model class.
final class EntityPlan {
  let entity: ResolvedEntity
  let parent: EntityPlan?
  /// True if the model has submodels.
  let isInherited: Bool
  /// True if a Swift file declares the class.
  let isSource: Bool
  /// True if a to-one relationship refers to the model.
  let isReferenced: Bool
  let runtime: RuntimeNames
  let type: TypeRef
  /// The class name to write after `extension`.
  let path: Code
  let access: Access
  /// The access level of members that the runtime requires.
  let memberAccess: Access
  /// The model's own properties, in declaration order.
  let properties: [PropertyPlan]
  /// All properties, inherited properties first.
  let allProperties: [PropertyPlan]
  /// The model's own snapshot fields.
  let fields: [PropertyPlan]
  /// The snapshot type, which holds a live model's values. No property or nested type has this name (NAM006).
  let snapshot: TypeRef
  /// The type that holds a subclass's own fields.
  let ownValues: TypeRef
  /// The first free slots after this model's properties.
  private let nextSlot: Int
  private let nextListSlot: Int
  /// Inverse key paths by relationship name.
  let inverses: [String: Code]
  /// Properties that a subclass's copied initializer assigns before it calls `super.init`.
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

  /// Returns true if code inside a subclass cannot name the property.
  func isHidden(_ property: PropertyPlan, from subclass: EntityPlan) -> Bool {
    switch property.access {
    case .private: true
    case .fileprivate: subclass.entity.file != entity.file
    default: false
    }
  }
  var isInHierarchy: Bool { parent != nil || isInherited || isSource }
  var carriesInitializers: Bool { !entity.carriedInitializers.isEmpty }

  /// The name of the stored property that holds the model's own fields.
  var storage: String { parent == nil ? "_$values" : Self.ownStorage(entity) }
  /// The name of the static constant with the table definition. In hierarchies, a class variable returns the constant.
  var definitionName: String { isInHierarchy ? "_$definition_" + entity.name : "_$definition" }

  /// The class's availability attributes. Its extensions repeat them, so that using a deprecated class there causes no
  /// warnings.
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
  /// True if reading the model's own fields can throw.
  var ownReadsThrow: Bool { fields.contains(where: \.readsThrow) }
  /// True if reading a snapshot can throw.
  var readsThrow: Bool { ownReadsThrow || (parent?.readsThrow ?? false) }
  var hasReferences: Bool { !ownReferences.isEmpty || (parent?.hasReferences ?? false) }
  var hasLists: Bool { !ownLists.isEmpty || (parent?.hasLists ?? false) }

  /// Returns the name of the stored property that an init accessor initializes. For a relationship, the stored property
  /// holds the models until both sides are complete; for an attribute, it only records that a value was assigned.
  static func token(_ property: PropertyPlan) -> String {
    (property.isRelationship ? "_$pending_" : "_$token_") + property.name
  }

  /// True if a call after `super.init` must link pending models.
  var linksPending: Bool { initializedByAccessor.contains(where: \.isRelationship) }

  private static func ownStorage(_ entity: ResolvedEntity) -> String { "_$own_" + entity.name }

  /// Returns true if only the class's own file can name a property. The class provides a key path to such a property.
  private static func isHidden(
    _ property: String, of destination: String, _ schema: [String: ResolvedEntity]
  ) -> Bool {
    let found = schema[destination]?.properties.first { $0.name == property }
    return found?.access == .private || found?.access == .fileprivate
  }

  /// Returns true if the model can name the inverse.
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
