import SchemaDiagnostics
import SchemaDiff
import SchemaModel

/// Two declarations that both say they are what one was: its values can become those of one only.
enum NameConflicts {
  static func check(from old: ResolvedSchema, to new: ResolvedSchema) -> [Diagnostic] {
    var problems = check(
      new.entities.map { Claim(name: $0.name, origin: $0.originalName, range: $0.range) },
      there: old.entities.map { Claim(name: $0.name, origin: $0.originalName, range: $0.range) }
    ) { "model '\($0)'" }
    let names = Counterparts(from: old, to: new)
    for entity in new.entities {
      guard let before = names.entities[entity.name],
        let properties = old.entities.first(where: { $0.name == before })?.properties
      else { continue }
      problems += check(
        entity.properties.map { Claim(name: $0.name, origin: $0.originalName, range: $0.range) },
        there: properties.map { Claim(name: $0.name, origin: $0.originalName, range: $0.range) }
      ) { "'\(before).\($0)'" }
    }
    return problems
  }

  private struct Claim {
    var name: String
    var origin: String?
    var range: SourceRange
  }

  private static func check(
    _ claims: [Claim], there: [Claim], _ title: (String) -> String
  ) -> [Diagnostic] {
    let known = Set(there.map(\.name))
    let stated = Dictionary(there.map { ($0.name, $0.origin) }, uniquingKeysWith: { first, _ in first })
    var first: [String: Claim] = [:]
    return claims.compactMap { claim in
      guard let origin = claim.origin, known.contains(origin) else { return nil }
      // Stated in the older version already: it is about one before that.
      if let before = stated[claim.name], before == origin { return nil }
      guard let other = first[origin] else {
        first[origin] = claim
        return nil
      }
      return Diagnostic(
        .originalNameConflict, at: claim.range,
        "'\(claim.name)' and '\(other.name)' both say they were \(title(origin))",
        related: [.init(other.range, "'\(other.name)' is here")],
        help: "take 'originalName' away from one of them, and fill it")
    }
  }
}
