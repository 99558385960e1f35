import SchemaModel
import SwiftSource

/// Emits a model's initializers: memberwise or copied from the schema, from values, and from backing data.
struct InitializerEmitter {
  let plan: EntityPlan
  let schema: SchemaPlan

  private var runtime: RuntimeNames { plan.runtime }

  var declarations: [Declaration] {
    var list: [Declaration] = []
    if plan.carriesInitializers {
      list += carried.map { .carried($0) }
      list.append(.function(initialValues))
      if plan.linksPending { list.append(.function(linkPending)) }
    } else {
      list.append(.function(memberwise))
    }
    list += [.function(fromValues), .function(fromBackingData)]
    return list
  }

  // init(name: String, …) { _$values = Trip.Snapshot(…); _$link(0, \Trip.items, items) }
  private var memberwise: Function {
    let parameters = plan.allProperties.filter(\.isParameter)
    let own = plan.properties.filter(\.isParameter)
    let visible = parameters.map(\.access).filter { $0 >= .internal }
    let access = visible.reduce(plan.memberAccess) { min($0, $1) }
    let overrides = plan.parent.map { own.isEmpty && !$0.carriesInitializers } ?? false
    var body: [Code] = []
    if plan.parent != nil { body.append(assignOwnValues) }
    let root = Self.values(of: plan.parent ?? plan, identifiedBy: plan)
    body.append(
      plan.parent == nil
        ? "_$values = \(root)" : "super.init(_$values: \(root))")
    for property in parameters {
      switch property.role {
      case .toOne(let slot, _), .toMany(let slot, _):
        body.append("_$link(\(slot), \(plan.path(property)), \(name: property.name))")
      case .ephemeral:
        // The storage of an inherited ephemeral property is private.
        let isOwn = plan.properties.contains { $0.name == property.name }
        let target: Code =
          isOwn ? "\(name: property.ephemeralName)" : "self.\(name: property.name)"
        body.append("\(target) = \(name: property.name)")
      case .attribute, .transient: break
      }
    }
    return Function(
      Heading(access, overrides ? [.override] : []), "init", parameters.map(\.parameter), body: body
    )
  }

  private var assignOwnValues: Code {
    "\(name: plan.storage) = \(Code(call: "\(plan.ownValues)", Self.arguments(plan), isFilled: true))"
  }

  /// Returns the values of a new model, taken from the memberwise initializer's parameters.
  private static func values(of plan: EntityPlan, identifiedBy model: EntityPlan) -> Code {
    if let parent = plan.parent {
      return Code(
        call: "\(plan.snapshot)",
        [
          "base: \(values(of: parent, identifiedBy: model))",
          "own: \(Code(call: "\(plan.ownValues)", arguments(plan)))",
        ])
    }
    let identifier: Code =
      "persistentIdentifier: \(model.type)._$definition.temporaryIdentifier()"
    // The snapshot's initializer provides defaults for omitted values and wraps values as required.
    let values = plan.fields.filter(\.isParameter).compactMap { field -> Code? in
      switch field.role {
      case .attribute: return "\(label: field.parameterName): \(name: field.name)"
      case .toMany: return "\(label: field.parameterName): []"
      case .toOne(_, let isOptional): return isOptional ? nil : "\(label: field.parameterName): nil"
      case .ephemeral, .transient: return nil
      }
    }
    return Code(call: "\(plan.snapshot)", [identifier] + values, isFilled: true)
  }

  private static func arguments(_ plan: EntityPlan) -> [Code] {
    plan.fields.compactMap { field -> Code? in
      switch field.role {
      case .attribute:
        let value: Code = field.isParameter ? "\(name: field.name)" : field.defaultValue ?? "nil"
        return "\(label: field.fieldName): \(field.stored(value))"
      case .toMany: return "\(label: field.fieldName): []"
      case .toOne, .ephemeral, .transient: return nil
      }
    }
  }

  private var carried: [CarriedText] {
    let start: Code = "\(name: plan.storage) = \(plan.type)._$initialValues()"
    return plan.entity.carriedInitializers.map { text in
      let assigned = plan.parent == nil ? [] : InitializerScan(text.text).assignedBefore
      // A property with no default must be assigned; the compiler reports a missing assignment.
      let others = plan.initializedByAccessor.filter {
        !assigned.contains($0.name) && ($0.isRelationship || $0.defaultValue != nil)
      }
      let opening = ([start] + tokens(others)).map(\.text).joined(separator: "; ")
      var source = CarriedSource(
        access: schema.rules.carried(in: plan.access), opening: opening,
        closing: plan.linksPending ? "_$linkPending()" : nil)
      return schema.carried(text, adapted: source.adapt(text.text))
    }
  }

  /// The function that links models that a copied initializer assigned before it called `super.init`.
  private var linkPending: Function {
    let body = plan.initializedByAccessor.filter(\.isRelationship).map { property -> Code in
      let pending: Code = "\(name: EntityPlan.token(property))"
      return """
        if let models = \(pending) { _$link(\(property.slot ?? -1), \(plan.path(property)), models) }
        \(pending) = nil
        """
    }
    return Function(Heading(.private), "func _$linkPending", body: body)
  }

  /// The function that returns a new model's values before a copied initializer runs.
  private var initialValues: Function {
    let isRoot = plan.parent == nil
    let type = isRoot ? plan.snapshot : plan.ownValues
    let start: Code =
      isRoot
      ? "\(type)(placeholder: \(plan.type)._$definition.temporaryIdentifier())"
      : "\(type)()"
    var body: [Code] = []
    for field in plan.fields {
      switch field.role {
      case .attribute:
        if let value = field.defaultValue, value != "nil" {
          body.append("values.\(name: field.fieldName) = \(field.stored(value))")
        }
      case .toMany: body.append("values.\(name: field.fieldName) = []")
      case .toOne, .ephemeral, .transient: break
      }
    }
    return Function(
      Heading(.private, [.static]), "func _$initialValues", suffix: " -> \(type)",
      body: body.isEmpty
        ? [start] : ["var values = \(start)"] + body + ["return values"])
  }

  private var fromValues: Function {
    let parameter: Code = "_$values values: \(plan.snapshot)"
    guard plan.parent != nil else {
      return Function(
        Heading(plan.memberAccess), "init", [parameter], body: ["_$values = values"])
    }
    return Function(
      Heading(plan.memberAccess), "init", [parameter],
      body: ["\(name: plan.storage) = values.own"] + tokens + ["super.init(_$values: values.base)"])
  }

  private var fromBackingData: Function {
    let root = plan.root
    let heading = Heading(plan.memberAccess, plan.isInHierarchy ? [.required] : [])
    let parameter: Code = "backingData: any \(runtime.backingData)<\(root.type)>"
    let values: Code = "\(plan.type)._$definition.values(of: backingData)"
    guard plan.parent != nil else {
      return Function(heading, "init", [parameter], body: ["_$values = \(values)"])
    }
    return Function(
      heading, "init", [parameter],
      body: [
        "let values: \(plan.snapshot) = \(values)", "\(name: plan.storage) = values.own",
      ] + tokens + ["super.init(_$values: values.base)"])
  }

  private var tokens: [Code] { tokens(plan.initializedByAccessor) }

  private func tokens(_ properties: [PropertyPlan]) -> [Code] {
    properties.map { property in
      let value: Code = property.isRelationship ? "nil" : "\(runtime.token)()"
      return "\(name: EntityPlan.token(property)) = \(value)"
    }
  }
}
