import SchemaModel
import SwiftSource

/// Emits the extension that completes a model class in a Swift file.
///
/// The macro `@Model` reads only a single class. The members it adds call this extension's members: `MacroExpansion`
/// contains the counterparts for `_$property_…`, `_$initialize_…`, `_$initialValues_…`, `_$blankValues_…`,
/// `_$begin_…`, `_$definition_…` and `_$metadata_…`.
struct SourceModelEmitter {
  let plan: EntityPlan
  let schema: SchemaPlan

  private var runtime: RuntimeNames { plan.runtime }
  private var name: String { plan.entity.name }
  private var values: TypeRef { plan.parent == nil ? plan.snapshot : plan.ownValues }
  /// True if the macro finds a superclass, which is not necessarily a model.
  private var hasSuperclass: Bool {
    plan.parent != nil
      || !plan.entity.conformances.isEmpty
        && plan.entity.carriedInitializers.contains { !InitializerScan($0.text).ends.isEmpty }
  }

  var declarations: [Declaration] {
    let model = ModelClassEmitter(plan: plan, schema: schema)
    // The extension inherits the class's isolation, which comes from an attribute, the superclass or a protocol.
    let members = TypeDeclaration(.extension, plan.path, Heading(attributes: plan.availability)) {
      for property in plan.properties { accessors(of: property) }
      if hasSuperclass {
        for property in plan.properties { initialization(of: property) }
        begin
      } else {
        initialValues
      }
      MetadataEmitter(plan: plan).declarations
      model.codableChecks
    }
    let tables = TypeDeclaration(
      .extension, plan.path, Heading(nil, [.nonisolated], attributes: plan.availability)
    ) {
      if hasSuperclass { blankValues }
      if plan.parent == nil { model.rootMembers }
      if plan.parent == nil, !plan.isInherited { TypeAlias(Heading(plan.memberAccess), "Root", "\(plan.type)") }
      model.definitionConstant
    }
    return [.type(members), .type(tables)]
  }

  private func accessors(of property: PropertyPlan) -> [Declaration] {
    AccessorEmitter(plan: plan, property: property).sourceDeclarations
  }

  /// Returns `_$initialize_name`, which stores a value that an initializer assigns before it calls `super.init`.
  private func initialization(of property: PropertyPlan) -> [Declaration] {
    if case .transient = property.role { return [] }
    if case .ephemeral = property.role { return [] }
    let assignment: Code = "pending.append { $0.\(name: property.sourceName) = value }"
    let body: Code =
      switch property.role {
      case .toOne(_, isOptional: true): "if value != nil || !pending.isEmpty { \(assignment) }"
      case .toOne: assignment
      case .toMany(_, isOptional: true): "if value?.isEmpty == false || !pending.isEmpty { \(assignment) }"
      case .toMany: "if !value.isEmpty || !pending.isEmpty { \(assignment) }"
      case .attribute, .ephemeral, .transient: "values.\(name: property.fieldName) = \(property.stored("value"))"
      }
    return [
      .function(
        Function(
          Heading(nil, [.static]), "func \(name: "_$initialize_" + property.name)",
          [
            "_ values: inout \(values)", "_ pending: inout [(\(plan.type)) -> Swift::Void]",
            "_ value: \(property.type)",
          ], body: [body]))
    ]
  }

  /// Returns an expression for a new model's values before the initializer's first assignment.
  private func made(_ first: [Code], defaults: Bool) -> Code {
    let own = plan.fields.compactMap { field -> Code? in
      if case .toMany = field.role { return "\(label: field.fieldName): []" }
      guard defaults, case .attribute = field.role, let value = field.defaultValue, value.text != "nil" else {
        return nil
      }
      return "\(label: field.fieldName): \(field.stored(value))"
    }
    return Code(call: "\(values)", first + own, isFilled: true)
  }

  private var initialValues: Function {
    let parameter: Code = "_ definition: \(runtime.modelDefinition)"
    let identifier: [Code] = plan.parent == nil ? ["_$identifier: definition.temporaryIdentifier()"] : []
    return Function(
      Heading(nil, [.static]), "func \(name: "_$initialValues_" + name)", [parameter], suffix: " -> \(values)",
      body: [made(identifier, defaults: true)])
  }

  private var blankValues: Property {
    let identifier: [Code] =
      plan.parent == nil ? ["_$identifier: \(name: plan.definitionName).temporaryIdentifier()"] : []
    return Property(
      Heading(nil, [.static]), isLet: true, "\(name: "_$blankValues_" + name)", type: "\(values)",
      value: made(identifier, defaults: false))
  }

  /// `_$begin_name`, which only creates the identifier, because Swift has already assigned the default values.
  private var begin: Function {
    Function(
      Heading(nil, [.static]), "func \(name: "_$begin_" + name)",
      ["_ values: inout \(values)", "_ definition: \(runtime.modelDefinition)"],
      body: plan.parent == nil ? ["values._$identifier = definition.temporaryIdentifier()"] : [])
  }
}
