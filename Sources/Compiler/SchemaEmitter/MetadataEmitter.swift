import SchemaDiagnostics
import SchemaModel
import SwiftSource

/// Emits `schemaMetadata`, which describes a model's properties to the runtime.
struct MetadataEmitter {
  let plan: EntityPlan

  var declarations: [Declaration] {
    [.property(metadata)] + (plan.isInherited && !plan.isSource ? plan.properties.compactMap(forSubclasses) : [])
  }

  private var runtime: RuntimeNames { plan.runtime }

  private var metadata: Property {
    let heading =
      plan.isSource
      ? Heading(nil, [.static])
      : Heading(
        plan.memberAccess,
        plan.parent != nil ? [.override, .class] : plan.isInherited ? [.class] : [.static])
    let name: Code = plan.isSource ? "\(name: "_$metadata_" + plan.entity.name)" : "schemaMetadata"
    let entries = inherited(by: plan) + uniques + indexes
    let type: Code = "[\(runtime.propertyMetadata)]"
    if entries.isEmpty {
      return Property(heading, name, type: type, accessors: [.get(["[]"])])
    }
    // The compiler checks a single array literal in linear time if its elements name their type. The machine code is
    // 10 % smaller than with separate calls to `append`.
    return Property(
      heading, name, type: type,
      accessors: [.get(["[\n  \(lines: entries.map { "\($0)," })\n]"])])
  }

  /// Returns the entries of a model or superclass, after the entries that it inherits.
  private func inherited(by owner: EntityPlan) -> [Code] {
    let own = owner.properties.compactMap { property -> Code? in
      if case .transient = property.role { return nil }
      if owner !== plan, !owner.isSource, owner.isHidden(property, from: plan) {
        return "\(owner.type).\(forSubclasses: property)(\(plan.type).self)"
      }
      let isHidden = owner.isSource && property.access < .internal
      return entry(property, at: isHidden ? owner.path(property) : plan.path(property))
    }
    return (owner.parent.map { inherited(by: $0) } ?? []) + own
  }

  /// Returns a function that creates the entry of a property that subclasses inherit but cannot name.
  private func forSubclasses(_ property: PropertyPlan) -> Declaration? {
    if case .transient = property.role { return nil }
    guard property.access < .internal else { return nil }
    return .function(
      Function(
        Heading(plan.memberAccess, [.static]),
        "func \(forSubclasses: property)<_$Model: \(plan.type)>", ["_ type: _$Model.Type"],
        suffix: " -> \(runtime.propertyMetadata)",
        body: [entry(property, at: "\\_$Model.\(name: property.name)")]))
  }

  private func entry(_ property: PropertyPlan, at path: Code) -> Code {
    var arguments: [Code] = ["name: \(literal: property.name)", "keypath: \(path)"]
    // Private properties have separate key paths that do not name the class.
    if plan.isReferenced, property.isColumn, property.access >= .internal {
      arguments.append("chain: \\\(plan.type)?.?.\(name: property.name)")
    }
    switch property.source {
    case .attribute(let attribute):
      if let value = property.writtenDefault, value.text.text != "nil" {
        arguments.append("defaultValue: \(value.typedValue)")
      }
      if let metadata = self.attribute(attribute, property) {
        arguments.append("metadata: \(metadata)")
      }
    case .relationship(let relationship):
      arguments.append("metadata: \(self.relationship(relationship))")
    }
    return "\(runtime.propertyMetadata)(\(list: arguments))"
  }

  private func attribute(_ attribute: ResolvedAttribute, _ property: PropertyPlan) -> Code? {
    var arguments: [Code] = AttributeOption.allCases.filter(attribute.options.contains).map {
      ".\(name: $0.rawValue)"
    }
    if let transformer = attribute.transformer {
      arguments.append(".transformable(by: \(carried: transformer))")
    }
    if let storage = attribute.storage { arguments.append(".\(name: storage.rawValue)") }
    if let unknown = attribute.unknown {
      arguments.append(".unknown(.\(carried: unknown.rawValue))")
    }
    arguments += names(attribute.originalName)
    if let modifier = attribute.hashModifier {
      arguments.append("hashModifier: \(literal: modifier)")
    }
    let forms: [Code?] = [
      property.codedForm.map { "._$coded(\(literal: $0))" }, property.jsonFields.map { "._$fields(\(literal: $0))" },
    ]
    let calls = forms.compactMap(\.self)
    if arguments.isEmpty, calls.isEmpty { return nil }
    return calls.reduce("\(runtime.attribute)(\(list: arguments))") { "\($0)\($1)" }
  }

  private func relationship(_ relationship: ResolvedRelationship) -> Code {
    var arguments: [Code] = []
    if relationship.isUnique { arguments.append(".unique") }
    if relationship.isOrdered { arguments.append(".ordered") }
    if relationship.inverse == .none { arguments.append(".unidirectional") }
    if relationship.deleteRule != .nullify {
      arguments.append("deleteRule: .\(name: relationship.deleteRule.rawValue)")
    }
    if let message = relationship.denyMessage { arguments.append("denyMessage: \(literal: message)") }
    if let count = relationship.minimumCount { arguments.append("minimumModelCount: \(count)") }
    if let count = relationship.maximumCount { arguments.append("maximumModelCount: \(count)") }
    arguments += names(relationship.originalName)
    if let inverse = inverse(relationship) { arguments.append("inverse: \(inverse)") }
    if let modifier = relationship.hashModifier {
      arguments.append("hashModifier: \(literal: modifier)")
    }
    return "\(runtime.relationship)(\(list: arguments))"
  }

  /// Returns the key path of a relationship's inverse. An inherited relationship has the declaring model's inverse.
  private func inverse(_ relationship: ResolvedRelationship) -> Code? {
    var current: EntityPlan? = plan
    while let candidate = current {
      if let inverse = candidate.inverses[relationship.name] { return inverse }
      current = candidate.parent
    }
    return nil
  }

  private func names(_ originalName: String?) -> [Code] {
    originalName.map { ["originalName: \(literal: $0)"] } ?? []
  }

  private var uniques: [Code] {
    plan.entity.uniques.compactMap { unique -> Code? in
      if unique.policy == .replace, isStatedByAttribute(unique) { return nil }
      var arguments: [Code] = [paths(unique.properties)]
      if unique.policy != .replace {
        arguments.append("onConflict: .\(name: unique.policy.rawValue)")
      }
      return constraint("\(runtime.unique)<\(plan.type)>(\(list: arguments))")
    }
  }

  private func isStatedByAttribute(_ unique: ResolvedUnique) -> Bool {
    guard unique.properties.count == 1 else { return false }
    return plan.entity.properties.contains { property in
      guard property.name == unique.properties[0] else { return false }
      switch property {
      case .attribute(let attribute): return attribute.options.contains(.unique)
      case .relationship(let relationship): return relationship.isUnique
      }
    }
  }

  private var indexes: [Code] {
    let binary = plan.entity.indexes.filter { $0.kind == .binary }.map { paths($0.properties) }
    let spatial = plan.entity.indexes.filter { $0.kind == .rtree }.map { index -> Code in
      ".rtree(\(paths(index.properties)))"
    }
    return [binary, spatial].filter { !$0.isEmpty }.map { arguments in
      constraint("\(runtime.index)<\(plan.type)>(\(list: arguments))")
    }
  }

  private func constraint(_ code: Code) -> Code {
    "\(runtime.propertyMetadata)(constraint: \(code))"
  }

  private func paths(_ properties: [String]) -> Code {
    "[\(list: properties.map { path($0) })]"
  }

  /// Returns the key path of a property, or of a property inside a flattened struct.
  private func path(_ written: String) -> Code {
    let parts = written.parts(separatedBy: ".")
    if let property = plan.allProperties.first(where: { $0.name == written }), plan.isSource,
      property.access < .internal
    {
      return plan.path(property)
    }
    guard parts.count == 2 else { return "\\.\(name: written)" }
    let property = plan.allProperties.first { $0.name == parts[0] }
    let isOptional = property?.type.isOptional ?? false
    return "\\.\(name: parts[0])\(isOptional ? "?" : "").\(name: parts[1])"
  }
}

extension Code.StringInterpolation {
  fileprivate mutating func appendInterpolation(forSubclasses property: PropertyPlan) {
    appendInterpolation(name: "_$metadata_" + property.name)
  }
}
