import SchemaDiagnostics

/// Holds the names of a schema against those of the generated code and of stores.
struct NameChecks {
  /// Members every model has already.
  ///
  /// `id` is not one of them: a model may declare its own, which then is its `Identifiable`
  /// identity, as half of all real models do. Nor is `description`: generated models do not print
  /// themselves, so the name is free.
  static let reservedMembers: Set<String> = [
    "persistentModelID", "modelContext", "hasChanges", "isDeleted", "schemaMetadata",
    "persistentBackingData", "hash", "hashValue", "self", "Type", "Protocol", "init",
  ]

  /// Types inside every model. `\\Trip.Root` names the type, so no property can be called like it.
  static let memberTypes: Set<String> = ["Root", "ID"]

  /// Names that no nested Swift type can have, and the types of a version are nested.
  static let reservedTypes: Set<String> = ["Type", "Protocol", "Self", "self", "Any"]

  static func check(_ schema: ResolvedSchema) -> [Diagnostic] {
    checkTypes(schema) + checkProperties(schema)
  }

  /// Keywords without back-ticks are no names to begin with, which the parser has said.
  private static func isReported(_ name: String, _ range: SourceRange) -> Bool {
    ["Self", "self", "Any", "init"].contains(name) && range.end - range.start == name.utf8.count
  }

  private static func checkTypes(_ schema: ResolvedSchema) -> [Diagnostic] {
    var diagnostics: [Diagnostic] = []
    let types =
      schema.entities.map { ($0.name, $0.range) } + schema.enums.map { ($0.name, $0.range) }
      + schema.structs.map { ($0.name, $0.range) }
    for (name, range) in types {
      if reservedTypes.contains(name), !isReported(name, range) {
        diagnostics.append(.reservedType(name, range))
      }
      if GeneratedTypes.names(ofSchema: schema.name).contains(name) {
        diagnostics.append(.generatedType(name, range))
      }
    }
    var seen: [String: ResolvedEntity] = [:]
    for entity in schema.entities {
      let folded = entity.name.lowercased()
      if let first = seen[folded] {
        diagnostics.append(.caseOnly(entity.name, entity.range, first.name, first.range))
      } else {
        seen[folded] = entity
      }
    }
    return diagnostics
  }

  private static func checkProperties(_ schema: ResolvedSchema) -> [Diagnostic] {
    var diagnostics: [Diagnostic] = []
    let entities = Dictionary(
      schema.entities.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    for entity in schema.entities {
      var seen: [String: ResolvedProperty] = [:]
      var ancestor = entity.superentity.flatMap { entities[$0] }
      var steps = 0
      while let current = ancestor, steps < EntityLinker.maximumDepth {
        for property in current.properties { seen[property.name.lowercased()] = property }
        ancestor = current.superentity.flatMap { entities[$0] }
        steps += 1
      }
      for property in entity.properties {
        let name = property.name
        if reservedMembers.contains(name) || name.hasPrefix("_$"), !isReported(name, property.range) {
          diagnostics.append(.reservedMember(name, property.range))
        }
        if memberTypes.contains(name) { diagnostics.append(.memberType(name, property.range)) }
        if name == "Snapshot" { diagnostics.append(.snapshotProperty(property.range)) }
        let folded = name.lowercased()
        if let first = seen[folded], first.name != name {
          diagnostics.append(.caseOnly(name, property.range, first.name, first.range))
        } else {
          seen[folded] = property
        }
      }
    }
    return diagnostics
  }
}

extension Diagnostic {
  fileprivate static func reservedMember(_ name: String, _ range: SourceRange) -> Self {
    Self(
      .reservedMember, at: range,
      name.hasPrefix("_$")
        ? "names that begin with '_$' belong to generated code"
        : "'\(name)' is a member of every model already",
      help: renaming(name))
  }

  /// For the help of those that are about a property.
  private static func renaming(_ name: String) -> String {
    "choose another name and keep the stored one with '@Attribute(originalName: \"\(name)\")'"
  }

  fileprivate static func memberType(_ name: String, _ range: SourceRange) -> Self {
    Self(
      .reservedMember, at: range, "'\(name)' is a type inside every model already",
      help: renaming(name))
  }

  fileprivate static func reservedType(_ name: String, _ range: SourceRange) -> Self {
    Self(.reservedMember, at: range, "'\(name)' cannot be the name of a type inside another one")
  }

  fileprivate static func generatedType(_ name: String, _ range: SourceRange) -> Self {
    Self(
      .generatedNameClash, at: range, "'\(name)' is the name of a type generated for the schema",
      help: "give it another name")
  }

  fileprivate static func snapshotProperty(_ range: SourceRange) -> Self {
    Self(
      .generatedNameClash, at: range,
      "'Snapshot' is the name of a type generated inside every model",
      help: "give it another name")
  }

  fileprivate static func caseOnly(
    _ name: String, _ range: SourceRange, _ first: String, _ firstRange: SourceRange
  ) -> Self {
    Self(
      .caseOnlyDifference, at: range, "'\(name)' and '\(first)' differ only in case",
      related: [.init(firstRange, "'\(first)' is declared here")],
      help: "stores do not tell them apart: rename one of them")
  }
}
