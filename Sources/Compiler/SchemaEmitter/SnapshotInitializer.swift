import SchemaModel
import SwiftSource

/// Emits a snapshot's memberwise initializer, which takes a new model's values and uses the schema's defaults.
///
/// The parameters for to-one relationships are identifiers. There are no parameters for properties that only the model
/// may write; they keep their default values.
struct SnapshotInitializer {
  let plan: EntityPlan
  private var runtime: RuntimeNames { plan.runtime }

  var declaration: Function {
    let parameters = plan.allProperties.filter { $0.isStored && $0.isParameter }
    // A private or internal property with no default value limits the initializer's access.
    let access = parameters.map { max($0.access, .internal) }.reduce(plan.memberAccess) { min($0, $1) }
    let identifier: Code =
      "persistentIdentifier: \(runtime.persistentIdentifier) = \(plan.type)._$definition.temporaryIdentifier()"
    return Function(
      Heading(access, documentation: ["The values of a new `\(plan.entity.name)`."]), "init",
      [identifier] + parameters.map(parameter), body: delegation)
  }

  private func parameter(_ property: PropertyPlan) -> Code {
    let name: Code = "\(parameter: property.parameterName)"
    switch property.role {
    case .toOne(_, let isOptional):
      let type: Code = "\(runtime.persistentIdentifier)?"
      return isOptional ? "\(name): \(type) = nil" : "\(name): \(type)"
    case .toMany: return "\(name): [\(runtime.persistentIdentifier)]? = nil"
    case .attribute, .ephemeral, .transient:
      let head: Code = "\(name): \(property.type)"
      return property.defaultValue.map { "\(head) = \($0)" } ?? head
    }
  }

  private func value(of field: PropertyPlan) -> Code {
    if field.isParameter { return field.stored("\(name: field.parameterName)") }
    guard case .attribute = field.role else { return "nil" }
    return field.stored(field.defaultValue ?? "nil")
  }

  private var delegation: [Code] {
    let own = plan.fields.map { "\(label: $0.fieldName): \(value(of: $0))" as Code }
    guard let parent = plan.parent else {
      return [Code(call: "self.init", ["_$identifier: persistentIdentifier"] + own, isFilled: true)]
    }
    let inherited = parent.allProperties.filter { $0.isStored && $0.isParameter }.map {
      "\(label: $0.parameterName): \(name: $0.parameterName)" as Code
    }
    let identifier: Code = "persistentIdentifier: persistentIdentifier"
    return [
      "self.base = \(Code(call: "\(parent.snapshot)", [identifier] + inherited, isFilled: true))",
      "self.own = \(Code(call: "\(plan.ownValues)", own, isFilled: true))",
    ]
  }
}
