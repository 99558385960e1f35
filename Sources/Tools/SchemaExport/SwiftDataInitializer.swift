import SchemaModel
import SwiftSource

/// The memberwise initializer, which Trellis generates but SwiftData models must declare.
struct SwiftDataInitializer {
  private struct Parameter {
    var name: String
    var type: String
    var value: String?
    var declaredTypes: [String]
  }

  private let entity: ResolvedEntity
  private let schema: ResolvedSchema
  private let own: [Parameter]
  private let inherited: [Parameter]
  /// True if a superclass has handwritten initializers.
  private let hasOpaqueSuperclass: Bool

  init(_ entity: ResolvedEntity, in schema: ResolvedSchema) {
    self.entity = entity
    self.schema = schema
    let types = SwiftTypeNames(schema)
    own = Self.parameters(entity, types)
    var above: [ResolvedEntity] = []
    while above.count < ResolvedSchema.maximumDepth, let name = (above.first ?? entity).superentity,
      let parent = schema.entities.first(where: { $0.name == name })
    {
      above.insert(parent, at: 0)
    }
    inherited = above.flatMap { Self.parameters($0, types) }
    hasOpaqueSuperclass = above.contains { !$0.carriedInitializers.isEmpty }
  }

  /// True if the model needs an initializer, but the `super.init` call cannot be derived.
  var isMissing: Bool { entity.carriedInitializers.isEmpty && hasOpaqueSuperclass && !own.isEmpty }

  /// The initializer; empty if the model has handwritten or only inherited initializers.
  var lines: [String] {
    guard entity.carriedInitializers.isEmpty, !hasOpaqueSuperclass, entity.superentity == nil || !own.isEmpty else {
      return []
    }
    let parameters = (inherited + own).map { parameter in
      let value = parameter.value.map { " = \($0)" } ?? ""
      return "\(SwiftKeyword.parameter(parameter.name)): \(parameter.type)\(value)"
    }
    var body = own.map { "self.\(SwiftNames.escaped($0.name)) = \(SwiftNames.escaped($0.name))" }
    if entity.superentity != nil {
      body += list(inherited.map { "\(SwiftKeyword.label($0.name)): \(SwiftNames.escaped($0.name))" }, in: "super.init")
    }
    var heading = list(parameters, in: access + "init")
    heading[heading.count - 1] += " {"
    return heading + body.map { "    " + $0 } + ["}"]
  }

  /// Returns `function(items)` on one line, or each item on a separate line.
  private func list(_ items: [String], in function: String) -> [String] {
    let line = "\(function)(\(items.joined(separator: ", ")))"
    // A line that begins with a keyword would look like a declaration.
    let hasKeyword = (inherited + own).contains { SwiftKeyword.isReserved($0.name) }
    guard !hasKeyword, line.count > SwiftNames.lineLength || line.contains("\n") else { return [line] }
    let lines = items.enumerated().flatMap { index, text in
      SwiftNames.shifted(text + (index == items.count - 1 ? "" : ",")).map { "    " + $0 }
    }
    return ["\(function)("] + lines + [")"]
  }

  /// The model's access level, unless a parameter's type is less visible.
  private var access: String {
    guard let access = entity.access, access >= .package else { return "" }
    let names = Set((inherited + own).flatMap(\.declaredTypes))
    let levels =
      schema.entities.filter { names.contains($0.name) }.map(\.access)
      + schema.enums.filter { names.contains($0.name) }.map(\.access)
      + schema.structs.filter { names.contains($0.name) }.map(\.access)
    let level = min(access, .public)
    return levels.allSatisfy { $0.map { $0 >= level } ?? false } ? level.rawValue + " " : ""
  }

  private static func parameters(_ entity: ResolvedEntity, _ types: SwiftTypeNames) -> [Parameter] {
    entity.properties.compactMap { property in
      switch property {
      case .attribute(let attribute):
        let isFixed = attribute.isLet && attribute.defaultValue != nil
        let isHidden = attribute.defaultValue != nil || attribute.type.isOptional
        guard !attribute.isTransient, !isFixed, !isHidden || !Self.isPrivate(attribute.access) else { return nil }
        return Parameter(
          name: attribute.name, type: types.spelling(attribute.type),
          value: attribute.defaultValue?.text ?? (attribute.type.isOptional ? "nil" : nil),
          declaredTypes: attribute.type.declaredTypes)
      case .relationship(let relationship):
        let hasDefault = relationship.defaultValue != nil || relationship.isOptional
        guard !hasDefault || !Self.isPrivate(relationship.access) else { return nil }
        return Parameter(
          name: relationship.name, type: types.spelling(relationship),
          value: relationship.defaultValue?.text
            ?? (relationship.isOptional ? "nil" : relationship.isToMany ? "[]" : nil),
          declaredTypes: [relationship.destination])
      }
    }
  }

  private static func isPrivate(_ access: AccessLevel?) -> Bool { access == .private || access == .fileprivate }
}

extension AccessLevel {
  /// Compares by visibility.
  fileprivate static func >= (lhs: Self, rhs: Self) -> Bool { lhs.rank >= rhs.rank }

  private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}

private func min(_ lhs: AccessLevel, _ rhs: AccessLevel) -> AccessLevel { rhs >= lhs ? lhs : rhs }

extension ValueType {
  fileprivate var isOptional: Bool { if case .optional = self { true } else { false } }
}
