import SwiftSource

/// Emits the Swift declaration of a model's property.
struct AccessorEmitter {
  let plan: EntityPlan
  let property: PropertyPlan

  var declarations: [Declaration] {
    switch property.role {
    case .transient: [.property(transient)]
    case .ephemeral:
      [
        .property(ephemeralStorage),
        .property(tracked(at: nil, ephemeralName, ephemeralName)),
      ]
    case .attribute(let slot, _): [.property(tracked(at: slot, property.field, property.loaded))]
    case .toOne(let slot, let isOptional):
      [
        .property(
          isOptional
            ? relationship(slot, get: "_$toOne", set: "_$setToOne")
            : relationship(slot, get: "_$requiredToOne", set: "_$setRequiredToOne"))
      ]
    case .toMany(let slot, let isOptional):
      [
        .property(
          isOptional
            ? relationship(slot, get: "_$optionalToMany", set: "_$setOptionalToMany")
            : relationship(slot, get: "_$toMany", set: "_$setToMany"))
      ]
    }
  }

  /// The accessors of a property in a Swift file, which the macro's accessors call.
  var sourceDeclarations: [Declaration] {
    if case .transient = property.role { return [] }
    return declarations.compactMap { declaration in
      guard case .property(let found) = declaration, found.accessors.count > 0 else { return nil }
      let heading = Heading(min(plan.memberAccess, max(property.access, .internal)))
      // The class itself stores an ephemeral property.
      return .property(
        Property(
          heading, isLet: found.isLet, "\(name: property.sourceName)", type: found.type, value: found.value,
          accessors: found.accessors))
    }
  }

  private var runtime: RuntimeNames { plan.runtime }
  private var path: Code { plan.path(property) }
  private var ephemeralName: Code { "\(name: property.ephemeralName)" }

  private var heading: Heading {
    Heading(
      property.access, setter: property.isSettable ? property.setterAccess : nil,
      documentation: property.documentation)
  }

  private var transient: Property {
    Property(heading, "\(name: property.name)", type: "\(property.type)", value: property.defaultValue)
  }

  private var ephemeralStorage: Property {
    Property(
      Heading(.private), ephemeralName, type: "\(property.type)",
      value: property.defaultValue ?? property.placeholder)
  }

  /// Accessors identify a property with a column by its slot. This takes less code than a key path in each accessor,
  /// and the runtime creates the key path only if the property is observed.
  private func tracked(at slot: Int?, _ field: Code, _ loaded: Code) -> Property {
    var accessors: [Property.Accessor] = []
    if isInitializedByAccessor {
      let token: Code = "\(name: EntityPlan.token(property))"
      accessors.append(
        .initialize(
          restrictions: "accesses: \(name: plan.storage), initializes: \(token)",
          ["\(field) = \(property.stored("newValue"))", "\(token) = \(runtime.token)()"]))
    }
    let own: Code = slot.map { "\($0)" } ?? path
    accessors.append(
      .get(["if _$state.isTracking { _$track(\(own)) }", "return \(loaded)"]))
    // The compiler lets initializers assign a constant in a Swift file and rejects all further assignments.
    if property.isSettable || plan.isSource {
      let target: Code = slot.map { "\($0)" } ?? "-1, \(path)"
      let assignment: Code = "\(field) = \(property.stored("newValue"))"
      accessors.append(.calledSet(["if _$willSet(\(target)) { \(assignment); _$didSet(\(own)) }"]))
    }
    return Property(
      heading, "\(name: property.name)", type: "\(property.type)", accessors: accessors)
  }

  private var isInitializedByAccessor: Bool {
    plan.initializedByAccessor.contains { $0.name == property.name }
  }

  private func relationship(_ slot: Int, get: Code, set: Code) -> Property {
    var accessors: [Property.Accessor] = []
    if isInitializedByAccessor {
      let pending: Code = "\(name: EntityPlan.token(property))"
      accessors.append(
        .initialize(restrictions: "initializes: \(pending)", ["\(pending) = newValue"]))
    }
    accessors.append(.get(["\(get)(\(slot), \(path))"]))
    accessors.append(.set(["\(set)(\(slot), \(path), newValue)"]))
    return Property(
      heading, "\(name: property.name)", type: "\(property.type)", accessors: accessors)
  }
}
