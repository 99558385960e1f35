import SchemaDiagnostics
import SchemaModel
import SwiftSource

/// A schema version's declarations.
struct SwiftDataModels {
  private let schema: ResolvedSchema
  private let types: SwiftTypeNames

  init(_ schema: ResolvedSchema) {
    self.schema = schema
    types = SwiftTypeNames(schema)
  }

  /// Models, enums and structs, separated by empty lines.
  var declarations: [String] {
    // Nested types are part of the model declarations.
    let enums = schema.enums.filter { !$0.name.contains(".") && $0.swift == nil }
      .map { SwiftNames.documentation($0.documentation) + SwiftNames.shifted($0.declaration.text) }
    let structs = schema.structs.filter { !$0.name.contains(".") }
      .map { SwiftNames.documentation($0.documentation) + SwiftNames.shifted($0.declaration.text) }
    return Array((schema.entities.map(model) + enums + structs).joined(separator: [""]))
  }

  /// Extensions that add `Codable` to stored types, because a schema does not require the conformance.
  func conformances(in scope: String) -> [String] {
    let stored = TextTypes(schema)
    let used = stored.written.union(stored.kept).union(stored.flattened)
    let all = schema.enums.map { ($0.name, $0.conformances) } + schema.structs.map { ($0.name, $0.conformances) }
    let lines = all.filter { name, conformances in
      used.contains(name) && !name.contains(".") && !conformances.contains("Codable")
        && !(conformances.contains("Decodable") && conformances.contains("Encodable"))
    }.map { name, _ in "extension \(scope).\(SwiftNames.escaped(name)): Codable {}" }
    return lines.isEmpty ? [] : [""] + lines
  }

  // MARK: Models

  private func model(_ entity: ResolvedEntity) -> [String] {
    let name = SwiftNames.escaped(entity.name)
    let isFinal = entity.access != .open && !schema.entities.contains { $0.superentity == entity.name }
    let inherited = (entity.superentity.map { [SwiftNames.escaped($0)] } ?? []) + entity.conformances
    let words = (entity.access.map { [$0.rawValue] } ?? []) + (isFinal ? ["final"] : []) + ["class", name]
    let heading = words.joined(separator: " ") + (inherited.isEmpty ? "" : ": " + inherited.joined(separator: ", "))
    var groups: [[String]] = []
    let constraints = uniques(entity, name) + indexes(entity, name)
    if !constraints.isEmpty { groups.append(constraints) }
    let properties = entity.properties.flatMap { property($0, of: entity) }
    if !properties.isEmpty { groups.append(properties) }
    groups += entity.carriedInitializers.map { SwiftNames.shifted($0.text) }
    let initializer = SwiftDataInitializer(entity, in: schema)
    if !initializer.lines.isEmpty { groups.append(initializer.lines) }
    groups += entity.carriedMembers.map { SwiftNames.shifted($0.text) }
    return SwiftNames.documentation(entity.documentation)
      + entity.swiftAttributes.flatMap { SwiftNames.shifted($0.text) }
      + ["@Model", "\(heading) {"] + groups.joined(separator: [""]).map { $0.isEmpty ? "" : "    " + $0 } + ["}"]
  }

  private func uniques(_ entity: ResolvedEntity, _ name: String) -> [String] {
    let lists = entity.uniques.filter { unique in !entity.properties.contains { $0.range == unique.range } }
      .map { keyPaths($0.properties) }
    return lists.isEmpty ? [] : ["#Unique<\(name)>(\(lists.joined(separator: ", ")))"]
  }

  private func indexes(_ entity: ResolvedEntity, _ name: String) -> [String] {
    let isPlain = entity.indexes.allSatisfy { $0.kind == .binary }
    let lists = entity.indexes.map { index in
      isPlain ? keyPaths(index.properties) : ".\(index.kind.rawValue)(\(keyPaths(index.properties)))"
    }
    return lists.isEmpty ? [] : ["#Index<\(name)>(\(lists.joined(separator: ", ")))"]
  }

  private func keyPaths(_ properties: [String]) -> String {
    "[\(properties.map { "\\.\(SwiftNames.escaped($0))" }.joined(separator: ", "))]"
  }

  // MARK: Properties

  private func property(_ property: ResolvedProperty, of entity: ResolvedEntity) -> [String] {
    switch property {
    case .attribute(let attribute):
      var marks = attribute.isTransient ? ["@Transient"] : []
      let arguments = arguments(of: attribute)
      if !arguments.isEmpty { marks.append("@Attribute(\(arguments.joined(separator: ", ")))") }
      return declaration(
        attribute.name, types.spelling(attribute.type), attribute.isLet ? "let" : "var", attribute.defaultValue,
        attribute.access, attribute.setterAccess, attribute.documentation, marks)
    case .relationship(let relationship):
      let arguments = arguments(of: relationship, in: entity)
      return declaration(
        relationship.name, types.spelling(relationship), "var", relationship.defaultValue, relationship.access,
        relationship.setterAccess, relationship.documentation,
        arguments.isEmpty ? [] : ["@Relationship(\(arguments.joined(separator: ", ")))"])
    }
  }

  private func declaration(
    _ name: String, _ type: String, _ keyword: String, _ value: SwiftText?, _ access: AccessLevel?,
    _ setter: AccessLevel?, _ documentation: [String], _ marks: [String]
  ) -> [String] {
    let words =
      (access.map { [$0.rawValue] } ?? []) + (setter.map { ["\($0.rawValue)(set)"] } ?? [])
      + ["\(keyword) \(SwiftNames.escaped(name)): \(type)"]
    var lines = SwiftNames.outdented(value?.text ?? "")
    lines[0] = words.joined(separator: " ") + (value == nil ? "" : " = \(lines[0])")
    let mark = marks.joined(separator: " ")
    if !mark.isEmpty, mark.count + lines[0].count > SwiftNames.lineLength {
      lines.insert(mark, at: 0)
    } else if !mark.isEmpty {
      lines[0] = mark + " " + lines[0]
    }
    return SwiftNames.documentation(documentation) + lines
  }

  private func arguments(of attribute: ResolvedAttribute) -> [String] {
    var arguments = attribute.options.filter { $0 != .fullText }.map { ".\($0.rawValue)" }.ordered()
    if let transformer = attribute.transformer { arguments.append(".transformable(by: \(transformer))") }
    return arguments + names(attribute.originalName, nil, attribute.hashModifier)
  }

  private func arguments(of relationship: ResolvedRelationship, in entity: ResolvedEntity) -> [String] {
    var arguments = relationship.isUnique ? [".unique"] : []
    if relationship.deleteRule != .nullify { arguments.append("deleteRule: .\(relationship.deleteRule.rawValue)") }
    if let count = relationship.minimumCount { arguments.append("minimumModelCount: \(count)") }
    if let count = relationship.maximumCount { arguments.append("maximumModelCount: \(count)") }
    return arguments
      + names(relationship.originalName, inverse(of: relationship, in: entity), relationship.hashModifier)
  }

  /// Returns the argument for `inverse:`, or `nil` if it is inferred or the inverse declares it.
  private func inverse(of relationship: ResolvedRelationship, in entity: ResolvedEntity) -> String? {
    guard let name = relationship.inverseName, !entity.isOwnInverse(relationship) else { return "nil" }
    let other = property(name, of: relationship.destination)
    // Private properties are not visible in different classes.
    let isOwn = relationship.destination == entity.name
    let isHidden = !isOwn && other?.access == .private
    let isOtherUnable = !isOwn && other?.declaresInverse == true && relationship.access == .private
    // With key paths on both sides, the two macros would form a cycle.
    guard relationship.declaresInverse || isOtherUnable, !isHidden else { return nil }
    return "\\\(SwiftNames.escaped(relationship.destination)).\(SwiftNames.escaped(name))"
  }

  private func property(_ name: String, of model: String) -> ResolvedRelationship? {
    var next: String? = model
    for _ in 0...ResolvedSchema.maximumDepth {
      guard let entity = schema.entities.first(where: { $0.name == next }) else { return nil }
      for case .relationship(let relationship) in entity.properties where relationship.name == name {
        return relationship
      }
      next = entity.superentity
    }
    return nil
  }

  private func names(_ originalName: String?, _ inverse: String?, _ hashModifier: String?) -> [String] {
    (originalName.map { ["originalName: \(StringLiteral.quoted($0))"] } ?? [])
      + (inverse.map { ["inverse: \($0)"] } ?? [])
      + (hashModifier.map { ["hashModifier: \(StringLiteral.quoted($0))"] } ?? [])
  }
}
