import SchemaModel
import SwiftSource

/// Emits a model's class.
struct ModelClassEmitter {
  let plan: EntityPlan
  let schema: SchemaPlan

  var declarations: [Declaration] {
    [.type(modelClass)] + sendability
  }

  var sendability: [Declaration] { plan.parent == nil && !isSendable ? [.type(unavailableSendable)] : [] }

  private var runtime: RuntimeNames { plan.runtime }
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
      inherits: ["\(plan.parent?.type ?? runtime.persistentModel)"]
        + entity.conformances.map { "\(carried: $0)" }
    ) {
      storage
      for property in plan.properties {
        located(property, AccessorEmitter(plan: plan, property: property).declarations)
      }
      for property in plan.properties {
        if let function = property.writtenDefault?.declaration(schema, access: plan.memberAccess) {
          function
        }
      }
      hiddenPaths
      InitializerEmitter(plan: plan, schema: schema).declarations
      let members = carriedMembers
      for text in members.texts { text }
      if !members.declareDeinit { closingDeinit }
      if plan.parent == nil { rootMembers }
      definition
      MetadataEmitter(plan: plan).declarations
      codableChecks
    }
  }

  /// Turns off exclusivity checks, which would account for half the time of a property read. They are unnecessary,
  /// because only accessors use the storage, each for a single read or write.
  private var stored: Heading {
    Heading(plan.memberAccess, attributes: ["@exclusivity(unchecked)"])
  }

  @DeclarationBuilder private var storage: [Declaration] {
    if plan.parent == nil {
      Property(stored, "_$state", value: "\(runtime.modelState)()")
      Property(stored, "_$values", type: "\(plan.snapshot)")
    } else {
      Property(stored, "\(name: plan.storage)", type: "\(plan.ownValues)")
    }
    for property in plan.initializedByAccessor {
      Property(
        Heading(.private), "\(name: EntityPlan.token(property))",
        type: property.isRelationship ? "\(property.optionalType)" : "\(runtime.token)")
    }
  }

  /// Places a transient property at the line of its default value in the schema file, so that the compiler reports
  /// errors there.
  private func located(_ property: PropertyPlan, _ declarations: [Declaration]) -> [Declaration] {
    guard case .transient = property.role, case .attribute(let attribute) = property.source,
      let value = attribute.defaultValue, !DefaultPlan.isPlain(value.text, attribute.type, schema.types)
    else { return declarations }
    let line = max(1, value.line - property.documentation.count)
    return declarations.map {
      .located(path: schema.path(ofFile: value.file), line: line, $0)
    }
  }

  /// Key paths to relationships that the class with the inverse may not be able to name.
  private var hiddenPaths: [Declaration] {
    plan.properties.filter { $0.isRelationship && $0.access < .internal && plan.inverses[$0.name] != nil }.map {
      .property(
        Property(
          Heading(nil, [.static]), "\(name: "_$path_" + $0.name)", type: "\(runtime.anyKeyPath)",
          accessors: [.get(["\(plan.path($0))"])]))
    }
  }

  /// The last statement of `deinit`, in each class of a hierarchy. If a model with pending changes is deallocated,
  /// the context may copy it, and a subclass's values are destroyed before the superclass's `deinit` runs.
  private static let close: Code = "_$state.close(_$values._$identifier)"

  private var closingDeinit: Function { Function(Heading(), "deinit", nil, body: [Self.close]) }

  @DeclarationBuilder var rootMembers: [Declaration] {
    Property(
      Heading(plan.memberAccess), "_$identifier", type: "\(runtime.persistentIdentifier)",
      accessors: [.get(["_$values._$identifier"])])
    Function(
      Heading(plan.memberAccess), "func _$adopt",
      ["_ identifier: \(runtime.persistentIdentifier)"],
      body: ["_$values._$identifier = identifier"])
    if plan.isInherited { TypeAlias(Heading(plan.memberAccess), "Root", "\(plan.type)") }
  }

  /// The constant with the model's table definition.
  var definitionConstant: Property {
    var arguments: [Code] = ["\(plan.snapshot).self", "name: \(literal: entity.name)"]
    if let name = entity.originalName { arguments.append("originalName: \(literal: name)") }
    if let parent = plan.parent {
      arguments.append("superentity: \(literal: parent.entity.name)")
    }
    if let version = schema.statedVersion { arguments.append("version: \(version).self") }
    arguments.append("codec: \(RuntimeNames.codec)")
    let access = plan.isSource ? nil : plan.isInHierarchy ? Access.private : plan.memberAccess
    return Property(
      Heading(access, [.static]), isLet: true, "\(name: plan.definitionName)",
      value: "\(runtime.modelDefinition)(\(list: arguments))")
  }

  private var definition: [Declaration] {
    let constant = definitionConstant
    guard plan.isInHierarchy else { return [.property(constant)] }
    let overriding = Property(
      Heading(plan.memberAccess, plan.parent == nil ? [.class] : [.override, .class]),
      "_$definition", type: "\(runtime.modelDefinition)",
      accessors: [.get(["\(name: plan.definitionName)"])])
    return [.property(constant), .property(overriding)]
  }

  /// A check for each property whose type the schema does not declare, placed so that the compiler reports errors in
  /// the schema file.
  var codableChecks: [Declaration] {
    entity.properties.compactMap { property -> Declaration? in
      guard case .attribute(let attribute) = property, !attribute.isTransient,
        attribute.transformer == nil, let opaque = attribute.type.opaqueType
      else { return nil }
      let type: Code = "\(carried: schema.types.opaque(opaque)).self"
      return .located(
        path: schema.path(ofFile: entity.file), line: schema.line(of: attribute.range),
        .function(
          Function(
            Heading(.private, [.static]), "func \(name: "_$check_" + attribute.name)",
            body: ["\(runtime.unisolated) { \(runtime.requireCodable)(\(type), \(type)) }"])))
    }
  }

  /// The types declared inside the model that the snapshot holds.
  private var storedNestedTypes: Set<String> {
    let prefix = entity.name + "."
    return entity.properties.reduce(into: []) { names, property in
      guard case .attribute(let attribute) = property, !attribute.isTransient else { return }
      for type in attribute.type.opaqueTypes + attribute.type.declaredTypes where type.hasPrefix(prefix) {
        names.insert(String(type.dropFirst(prefix.count)))
      }
    }
  }

  private var carriedMembers: (texts: [CarriedText], declareDeinit: Bool) {
    var declareDeinit = false
    let texts = entity.carriedMembers.map { text in
      var source = CarriedSource(access: schema.rules.carried(in: plan.access))
      source.sendable = .named(storedNestedTypes)
      source.sendableName = runtime.sendable.text
      source.deinitOpening = "defer { \(Self.close.text) }"
      let adapted = source.adapt(text.text)
      if source.declaresDeinit { declareDeinit = true }
      return schema.carried(text, adapted: adapted)
    }
    return (texts, declareDeinit)
  }

  private var unavailableSendable: TypeDeclaration {
    let message = "models belong to their context: send persistentModelID or a snapshot instead"
    return TypeDeclaration(
      .extension, plan.path,
      Heading(
        attributes: plan.availability
          + ["@available(*, unavailable, message: \(literal: message))"]),
      inherits: ["@unchecked \(runtime.sendable)"])
  }
}
