import SchemaDiagnostics
import SchemaDiff
import SchemaModel

/// Reports declarations with the same original name: only one can receive the old values.
enum NameConflicts {
  static func check(from old: ResolvedSchema, to new: ResolvedSchema) -> [Diagnostic] {
    var problems = check(
      new.entities.map { Claim(name: $0.name, origin: $0.originalName, range: $0.range) },
      there: old.entities.map { Claim(name: $0.name, origin: $0.originalName, range: $0.range) }
    ) { "model '\($0)'" }
    problems += copies(from: old, to: new)
    let names = Counterparts(from: old, to: new)
    let former = old.entities.keyed(by: \.name)
    for entity in new.entities {
      guard let before = names.entities[entity.name], let properties = former[before]?.properties
      else { continue }
      problems += check(
        entity.properties.map { Claim(name: $0.name, origin: $0.originalName, range: $0.range) },
        there: properties.map { Claim(name: $0.name, origin: $0.originalName, range: $0.range) }
      ) { "'\(before).\($0)'" }
    }
    return problems
  }

  /// Reports a copied class if its `originalName` names the original class, which still exists: all rows of the
  /// original class would move to the copy.
  private static func copies(from old: ResolvedSchema, to new: ResolvedSchema) -> [Diagnostic] {
    let names = Counterparts(from: old, to: new)
    return new.entities.compactMap { copy in
      guard let origin = names.entities[copy.name], origin != copy.name,
        let former = old.entities.first(where: { $0.name == origin }),
        let kept = new.entities.first(where: { $0.name == origin }), names.entities[origin] == nil
      else { return nil }
      // An unrelated class that reuses the name is not a copy.
      let known = kept.properties.keyed(by: \.name)
      guard !former.properties.isEmpty, former.properties.allSatisfy({ known[$0.name] != nil })
      else { return nil }
      return Diagnostic(
        .originalNameConflict, at: copy.range,
        "'\(copy.name)' is renamed from model '\(origin)', which still exists: all its rows would move to "
          + "'\(copy.name)'",
        related: [.init(kept.range, "'\(origin)' is here")],
        help: "remove 'originalName' from '\(copy.name)' if it is a new model, or remove '\(origin)' from this "
          + "version")
    }
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
    let stated = Dictionary(firstOf: there.map { ($0.name, $0.origin) })
    var first: [String: Claim] = [:]
    return claims.compactMap { claim in
      guard let origin = claim.origin, known.contains(origin) else { return nil }
      // The older version already states this original name, which therefore refers to an even earlier version.
      if let before = stated[claim.name], before == origin { return nil }
      guard let other = first[origin] else {
        first[origin] = claim
        return nil
      }
      return Diagnostic(
        .originalNameConflict, at: claim.range,
        "'\(claim.name)' and '\(other.name)' are both renamed from \(title(origin))",
        related: [.init(other.range, "'\(other.name)' is here")],
        help: "remove 'originalName' from one of them, and set its values in a migration step")
    }
  }
}
