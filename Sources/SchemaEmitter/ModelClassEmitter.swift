import SchemaModel
import SwiftSource

/// The class of a model.
struct ModelClassEmitter {
  let plan: EntityPlan
  let schema: SchemaPlan

  var declarations: [Declaration] {
    var list: [Declaration] = [.type(modelClass)]
    if plan.parent == nil, !isSendable { list.append(.type(unavailableSendable)) }
    return list
  }

  private var entity: ResolvedEntity { plan.entity }

  private var isSendable: Bool {
    entity.conformances.contains { $0.hasSuffix("Sendable") }
  }

  private var attributes: [Code] { entity.swiftAttributes.map { "\(carried: $0.text)" } }

  private var modelClass: TypeDeclaration {
    let isFinal = !plan.isInherited && plan.access != .open
    return TypeDeclaration(
      .class, "\(name: entity.name)",
      Heading(
        plan.access, isFinal ? [.nonisolated, .final] : [.nonisolated],
        documentation: entity.documentation, attributes: attributes),
      inherits: ["\(plan.parent?.type ?? Runtime.persistentModel)"]
        + entity.conformances.map { "\(carried: $0)" }
    ) {
      storage
      for property in plan.properties {
        AccessorEmitter(plan: plan, property: property).declarations
      }
      InitializerEmitter(plan: plan, schema: schema).declarations
      for text in entity.carriedMembers { carried(text) }
      if plan.parent == nil { rootMembers }
      definition
      MetadataEmitter(plan: plan).declaration
      codableChecks
    }
  }

  @DeclarationBuilder private var storage: [Declaration] {
    if plan.parent == nil {
      Property(Heading(plan.memberAccess), "_$state", value: "\(Runtime.modelState)()")
      Property(Heading(plan.memberAccess), "_$values", type: "\(plan.snapshot)")
    } else {
      Property(Heading(plan.memberAccess), "\(name: plan.storage)", type: "\(plan.ownValues)")
    }
    for property in plan.initializedByAccessor {
      Property(
        Heading(.private), "\(name: EntityPlan.token(property))", type: "\(Runtime.token)")
    }
  }

  @DeclarationBuilder private var rootMembers: [Declaration] {
    Function(
      Heading(), "deinit", nil, body: ["_$state.close(_$values.persistentIdentifier)"])
    Property(
      Heading(plan.memberAccess), "_$identifier", type: "\(Runtime.persistentIdentifier)",
      accessors: [
        .get(["_$values.persistentIdentifier"]), .set(["_$values.persistentIdentifier = newValue"]),
      ])
    if plan.isInherited { TypeAlias(Heading(plan.memberAccess), "Root", "\(plan.type)") }
  }

  private var definition: [Declaration] {
    var arguments: [Code] = ["\(plan.snapshot).self", "name: \(literal: entity.name)"]
    if let name = entity.originalName { arguments.append("originalName: \(literal: name)") }
    if let parent = plan.parent {
      arguments.append("superentity: \(literal: parent.entity.name)")
    }
    arguments.append("codec: \(Runtime.codec)")
    let constant = Property(
      Heading(plan.isInHierarchy ? .private : plan.memberAccess, [.static]), isLet: true,
      "\(name: plan.definitionName)",
      value: "\(Runtime.modelDefinition)(\(list: arguments))")
    guard plan.isInHierarchy else { return [.property(constant)] }
    let overriding = Property(
      Heading(plan.memberAccess, plan.parent == nil ? [.class] : [.override, .class]),
      "_$definition", type: "\(Runtime.modelDefinition)",
      accessors: [.get(["\(name: plan.definitionName)"])])
    return [.property(constant), .property(overriding)]
  }

  /// One line per property whose type only the target knows; the compiler complains in the schema.
  private var codableChecks: [Declaration] {
    entity.properties.compactMap { property -> Declaration? in
      guard case .attribute(let attribute) = property, !attribute.isTransient,
        attribute.transformer == nil, let type = attribute.type.opaqueType
      else { return nil }
      return .located(
        path: schema.path(ofFile: entity.file), line: schema.line(of: attribute.range),
        .function(
          Function(
            Heading(.private, [.static]), "func \(name: "_$check_" + attribute.name)",
            body: ["\(Runtime.requireCodable)(\(carried: type).self)"])))
    }
  }

  private func carried(_ text: SwiftText) -> CarriedText {
    var source = CarriedSource(access: schema.rules.carried(in: plan.access))
    return schema.carried(text, adapted: source.adapt(text.text))
  }

  private var unavailableSendable: TypeDeclaration {
    let message = "models belong to their context: send persistentModelID or a snapshot instead"
    return TypeDeclaration(
      .extension, "\(name: entity.name)",
      Heading(
        attributes: attributes
          + ["@available(*, unavailable, message: \(literal: message))"]),
      inherits: ["@unchecked \(Standard.sendable)"])
  }
}
