import SchemaDiagnostics
import SchemaSyntax

/// Checks a target's schemas for conflicts between their Swift types, which share a module.
struct TargetChecks {
  static func check(_ groups: [SchemaGroup]) -> [Diagnostic] {
    versions(groups) + types(groups)
  }

  /// Reports older versions, because a target's sources may contain only a single version of each schema.
  private static func versions(_ groups: [SchemaGroup]) -> [Diagnostic] {
    var newest: [String: SchemaGroup] = [:]
    for group in groups {
      let other = newest[group.key.name] ?? group
      newest[group.key.name] = other.version < group.version ? group : other
    }
    return groups.compactMap { group in
      guard let head = newest[group.key.name], head.version != group.version,
        let here = group.files.first?.version.range, let there = head.files.first?.version.range
      else { return nil }
      return .olderVersion(group, here, head, there)
    }
  }

  private static func types(_ groups: [SchemaGroup]) -> [Diagnostic] {
    var diagnostics: [Diagnostic] = []
    var seen: [String: (schema: String, range: SourceRange)] = [:]
    var schemas: [String: String] = [:]
    for group in groups where group.scope?.path.isEmpty ?? true {
      for name in GeneratedTypes.names(ofSchema: group.key.name) { schemas[name] = group.key.name }
    }
    for group in groups {
      let homes = group.homes
      for declaration in group.files.flatMap({ $0.models + $0.enums + $0.structs }) {
        guard let own = declaration.name else { continue }
        let name = ((homes[own] ?? group.scope?.path ?? []) + [own]).joined(separator: ".")
        let range = declaration.nameRange
        if let owner = schemas[name], owner != group.key.name {
          diagnostics.append(.generatedForOther(name, owner, range))
        } else if let first = seen[name], first.schema != group.key.name {
          diagnostics.append(.declaredInOther(name, range, first.schema, first.range))
        } else {
          seen[name] = (group.key.name, range)
        }
      }
    }
    return diagnostics
  }
}

/// The file-level types generated for a schema in addition to the declared types.
enum GeneratedTypes {
  static func names(ofSchema name: String) -> [String] {
    [name + "Schema", name + "MigrationPlan"]
  }
}

extension Diagnostic {
  fileprivate static func olderVersion(
    _ group: SchemaGroup, _ range: SourceRange, _ head: SchemaGroup, _ other: SourceRange
  ) -> Self {
    let folder = "versions/\(group.key.name)-\(group.version)/"
    return Self(
      .duplicateDeclaration, at: range,
      "schema '\(group.key.name)' \(group.version) is in the same target as version \(head.version)",
      related: [.init(other, "version \(head.version) is here")],
      help: "move the older version to the folder '\(folder)'")
  }

  fileprivate static func declaredInOther(
    _ name: String, _ range: SourceRange, _ schema: String, _ first: SourceRange
  ) -> Self {
    Self(
      .duplicateDeclaration, at: range,
      "'\(name)' is also declared in schema '\(schema)' of the same target",
      related: [.init(first, "the other declaration is here")],
      help: "rename one of them, or move one of the schemas to another target")
  }

  fileprivate static func generatedForOther(
    _ name: String, _ schema: String, _ range: SourceRange
  ) -> Self {
    Self(
      .generatedNameClash, at: range,
      "'\(name)' is the name of a type generated for schema '\(schema)'",
      help: "choose a different name")
  }
}
